package bertscore

// KillModel ends the process that runs a scorer's model, as a lack of memory would.
func KillModel(s *Scorer) { s.running.process.Kill() }
