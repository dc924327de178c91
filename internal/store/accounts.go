package store

import (
	"context"
	"time"

	"gorm.io/gorm"
)

// AddAccount keeps an account; ErrExists when its name is taken.
func (s *Store) AddAccount(ctx context.Context, a *Account) error {
	return s.Write(ctx, func(tx *gorm.DB) error { return tx.Create(a).Error })
}

// AccountByName is one by its name.
func (s *Store) AccountByName(ctx context.Context, name string) (Account, error) {
	var a Account
	err := s.Read(ctx).Where("name = ?", name).First(&a).Error
	return a, err
}

// AddToken keeps a token's hash.
func (s *Store) AddToken(ctx context.Context, t *Token) error {
	return s.Write(ctx, func(tx *gorm.DB) error { return tx.Create(t).Error })
}

// Tokens are all tokens with their accounts, oldest first.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	var tokens []Token
	err := s.Read(ctx).Preload("Account").Order("id").Find(&tokens).Error
	return tokens, err
}

// TokenByHash is a token that was not revoked, with its account.
func (s *Store) TokenByHash(ctx context.Context, hash string) (Token, error) {
	var t Token
	err := s.Read(ctx).Preload("Account").Where("hash = ? AND revoked_at IS NULL", hash).First(&t).Error
	return t, err
}

// TouchToken notes when a token was last used.
func (s *Store) TouchToken(ctx context.Context, id uint64, at time.Time) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		return tx.Model(&Token{}).Where("id = ?", id).Update("last_used_at", at).Error
	})
}

// RevokeToken ends a token; ErrNotFound when there is none that could be ended.
func (s *Store) RevokeToken(ctx context.Context, id uint64, at time.Time) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&Token{}).Where("id = ? AND revoked_at IS NULL", id).Update("revoked_at", at)
		if done.Error == nil && done.RowsAffected == 0 {
			return ErrNotFound
		}
		return done.Error
	})
}
