package llm

import (
	"context"
	"fmt"
	"sync"
)

// A ledger keeps what a client spent within its budget. What a request
// may cost is reserved before it is sent and settled after, so that requests
// in flight together do not overspend.
type ledger struct {
	budget Budget
	price  Price

	mu       sync.Mutex
	spent    cost
	reserved cost
	settled  chan struct{} // closed and replaced when a reservation ends
}

type cost struct {
	tokens int64
	money  float64
}

func (a cost) plus(b cost) cost  { return cost{a.tokens + b.tokens, a.money + b.money} }
func (a cost) minus(b cost) cost { return cost{a.tokens - b.tokens, a.money - b.money} }

func newLedger(b Budget, p Price) *ledger {
	return &ledger{budget: b, price: p, settled: make(chan struct{})}
}

// cost is in units of money what tokens cost, prices being for a million.
func (l *ledger) cost(input, output int) cost {
	return cost{int64(input) + int64(output), l.price.Of(input, output)}
}

func (l *ledger) fits(c cost) bool {
	return (l.budget.Tokens == 0 || c.tokens <= l.budget.Tokens) && (l.budget.Money == 0 || c.money <= l.budget.Money)
}

// reserve waits while requests in flight may still leave enough, and fails
// with ErrBudgetExhausted when even they cannot.
func (l *ledger) reserve(ctx context.Context, c cost) error {
	for {
		l.mu.Lock()
		if l.fits(l.spent.plus(l.reserved).plus(c)) {
			l.reserved = l.reserved.plus(c)
			l.mu.Unlock()
			return nil
		}
		if !l.fits(l.spent.plus(c)) || l.reserved == (cost{}) {
			spent := l.spent
			l.mu.Unlock()
			return fmt.Errorf("%w: %d tokens and %.4f spent of %s; the next request may need %d tokens and %.4f",
				ErrBudgetExhausted, spent.tokens, spent.money, l.budget, c.tokens, c.money)
		}
		settled := l.settled
		l.mu.Unlock()
		select {
		case <-settled:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settle ends a reservation with what the request did cost.
func (l *ledger) settle(reserved, spent cost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved = l.reserved.minus(reserved)
	if l.reserved.tokens == 0 {
		l.reserved.money = 0 // rounding
	}
	l.spent = l.spent.plus(spent)
	close(l.settled)
	l.settled = make(chan struct{})
}

func (b Budget) String() string {
	switch {
	case b.Tokens > 0 && b.Money > 0:
		return fmt.Sprintf("%d tokens and %.4f", b.Tokens, b.Money)
	case b.Tokens > 0:
		return fmt.Sprintf("%d tokens", b.Tokens)
	case b.Money > 0:
		return fmt.Sprintf("%.4f", b.Money)
	}
	return "no bound"
}
