// Package account says who acts: by a token, or as the local user of a
// demonstration.
package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// Roles of an account.
const (
	Submitter = "submitter"
	Operator  = "operator"
)

// ErrUnknownToken is returned for a token that was never given out, or was revoked.
var ErrUnknownToken = errors.New("this token is not known, or it was revoked")

// prefix makes a token recognisable wherever it should not be.
const prefix = "ts_"

// Accounts answers who a token belongs to.
type Accounts struct{ store *store.Store }

// New returns the accounts of a store.
func New(s *store.Store) *Accounts { return &Accounts{s} }

// Named is the account of a name, made when it is not there.
func (a *Accounts) Named(ctx context.Context, name, role string) (store.Account, error) {
	if name = strings.TrimSpace(name); name == "" || len(name) > 200 {
		return store.Account{}, &benchmark.InputError{Field: "name", Problem: "is empty or longer than 200 bytes", Mend: "give the submitter's name"}
	}
	known, err := a.store.AccountByName(ctx, name)
	if !errors.Is(err, store.ErrNotFound) {
		return known, err
	}
	made := store.Account{Name: name, Role: role}
	if err := a.store.AddAccount(ctx, &made); errors.Is(err, store.ErrExists) {
		return a.store.AccountByName(ctx, name)
	} else if err != nil {
		return store.Account{}, err
	}
	return made, nil
}

// NewToken makes a token for an account. Its text is shown this once; the
// database keeps its hash.
func (a *Accounts) NewToken(ctx context.Context, account store.Account) (string, error) {
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	token := prefix + base64.RawURLEncoding.EncodeToString(random)
	return token, a.store.AddToken(ctx, &store.Token{AccountID: account.ID, Hash: hash(token)})
}

// ByToken is the account that a token acts for, or ErrUnknownToken.
func (a *Accounts) ByToken(ctx context.Context, token string) (store.Account, error) {
	if token = strings.TrimSpace(token); token == "" {
		return store.Account{}, ErrUnknownToken
	}
	t, err := a.store.TokenByHash(ctx, hash(token))
	if errors.Is(err, store.ErrNotFound) {
		return store.Account{}, ErrUnknownToken
	}
	if err != nil {
		return store.Account{}, err
	}
	const grain = time.Minute // a write for every request would be one too many
	if now := time.Now(); t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) > grain {
		if err := a.store.TouchToken(ctx, t.ID, now.UTC()); err != nil {
			return store.Account{}, fmt.Errorf("noting the token's use: %w", err)
		}
	}
	return t.Account, nil
}

// hash needs no salt: a token is 192 random bits.
func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
