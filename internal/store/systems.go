package store

import "context"

// Systems are all that somebody submitted for.
func (s *Store) Systems(ctx context.Context) ([]System, error) {
	var all []System
	err := s.Read(ctx).Order("id").Find(&all).Error
	return all, err
}

// SystemBySlug is one by the part of its address.
func (s *Store) SystemBySlug(ctx context.Context, slug string) (System, error) {
	var system System
	err := s.Read(ctx).Where("slug = ?", slug).First(&system).Error
	return system, err
}
