package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"touchstone/internal/account"
	"touchstone/internal/store"
)

type adminToken struct {
	Create adminTokenCreate `cmd:"" help:"Make a token for a submitter; its text is printed this once."`
	List   adminTokenList   `cmd:"" help:"List the tokens, without their texts."`
	Revoke adminTokenRevoke `cmd:"" help:"End a token."`
}

type adminTokenCreate struct {
	Name     string `arg:"" help:"Who the token is for; their submissions carry the name."`
	Operator bool   `help:"The account may also cancel and retry what others submitted."`
}

func (adminTokenCreate) Help() string {
	return "Example:\n\n    touchstone admin token create \"Ada Lovelace\" --data /srv/touchstone"
}

func (c adminTokenCreate) Run(ctx context.Context, p *place, site *adminCommand) error {
	role := account.Submitter
	if c.Operator {
		role = account.Operator
	}
	return site.with(ctx, func(db *store.Store) error {
		accounts := account.New(db)
		who, err := accounts.Named(ctx, c.Name, role)
		if err != nil {
			return err
		}
		if who.Role != role {
			return fmt.Errorf("%s is a %s already; give the %s another name", who.Name, who.Role, role)
		}
		text, err := accounts.NewToken(ctx, who)
		if err != nil {
			return err
		}
		p.say("the token of %s (%s); it is not shown again:", who.Name, who.Role)
		_, err = fmt.Fprintln(p.stdout, text)
		return err
	})
}

type adminTokenList struct{}

func (adminTokenList) Help() string {
	return "One JSON object a line. Example:\n\n    touchstone admin token list"
}

func (adminTokenList) Run(ctx context.Context, p *place, site *adminCommand) error {
	type row struct {
		ID       uint64     `json:"id"`
		Account  string     `json:"account"`
		Role     string     `json:"role"`
		Created  time.Time  `json:"created"`
		LastUsed *time.Time `json:"last_used"`
		Revoked  *time.Time `json:"revoked"`
	}
	return site.with(ctx, func(db *store.Store) error {
		tokens, err := db.Tokens(ctx)
		if err != nil {
			return err
		}
		var rows []row
		for _, t := range tokens {
			rows = append(rows, row{t.ID, t.Account.Name, t.Account.Role, t.CreatedAt, t.LastUsedAt, t.RevokedAt})
		}
		return list(p, rows)
	})
}

type adminTokenRevoke struct {
	ID uint64 `arg:"" help:"The token's id, as the list has it."`
}

func (adminTokenRevoke) Help() string { return "Example:\n\n    touchstone admin token revoke 3" }

func (c adminTokenRevoke) Run(ctx context.Context, p *place, site *adminCommand) error {
	return site.with(ctx, func(db *store.Store) error {
		err := db.RevokeToken(ctx, c.ID, time.Now().UTC())
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("there is no token %d that could be revoked; see touchstone admin token list", c.ID)
		}
		if err == nil {
			p.say("token %d is revoked", c.ID)
		}
		return err
	})
}
