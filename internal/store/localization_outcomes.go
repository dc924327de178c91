package store

import "context"

// EachLocalizationOutcome calls f with how each task of a submission ended with
// one kind of gold files. It reads row by row, for there are many.
func (s *Store) EachLocalizationOutcome(ctx context.Context, submission uint64, gold string, f func(LocalizationTaskScore)) error {
	rows, err := s.Read(ctx).Model(&LocalizationTaskScore{}).Where("submission_id = ? AND gold = ?", submission, gold).
		Select("task_id, level, condition, answered, true_positives, false_positives, false_negatives, f1").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	x := LocalizationTaskScore{SubmissionID: submission, Gold: gold}
	for rows.Next() {
		if err := rows.Scan(&x.TaskID, &x.Level, &x.Condition, &x.Answered, &x.TruePositives, &x.FalsePositives, &x.FalseNegatives, &x.F1); err != nil {
			return err
		}
		f(x)
	}
	return rows.Err()
}
