// Package calc has the tool of the skill calc: exact arithmetic by recursive descent, without eval and dependencies.
package calc

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"example.com/majordomo/agent"
)

// MostDepth is the limit of nested parentheses and signs.
const MostDepth = 100

// Tools returns the tool `calc_evaluate`.
func Tools() agent.Toolbox {
	return agent.Toolbox{"calc_evaluate": {Name: "calc_evaluate", Call: Evaluate}}
}

// MostBytes is the limit of an expression.
const MostBytes = 10000

// Evaluate returns the exact value of an expression of +, -, *, /, % and parentheses: a decimal such as `27.485`, or, if it has no
// end, a fraction such as `1/3`.
func Evaluate(text string) (string, error) {
	if len(text) > MostBytes {
		return "", fmt.Errorf("the expression is longer than %d bytes", MostBytes)
	}
	p := &parser{length: len(text), rest: text}
	value, err := p.sum(0)
	if err != nil {
		return "", err
	}
	if p.peek() != 0 {
		return "", p.fault("unexpected " + p.shown())
	}
	return written(value), nil
}

// written returns a value as a decimal if it has one: its denominator has no other factors than 2 and 5.
func written(value *big.Rat) string {
	denominator, digits := new(big.Int).Set(value.Denom()), 0
	for _, factor := range []int64{2, 5} {
		divisor, quotient, rest := big.NewInt(factor), new(big.Int), new(big.Int)
		count := 0
		for quotient.QuoRem(denominator, divisor, rest); rest.Sign() == 0; quotient.QuoRem(denominator, divisor, rest) {
			denominator.Set(quotient)
			count++
		}
		if count > digits {
			digits = count
		}
	}
	if denominator.IsInt64() && denominator.Int64() == 1 {
		return value.FloatString(digits)
	}
	return value.RatString()
}

type parser struct {
	length int
	rest   string
}

// fault returns an error with the position of the next character, from 1.
func (p *parser) fault(message string) error {
	return fmt.Errorf("%s at position %d", message, p.length-len(p.rest)+1)
}

// shown returns the next characters, or what is there instead.
func (p *parser) shown() string {
	if p.rest == "" {
		return "end"
	}
	if len(p.rest) > 20 {
		return fmt.Sprintf("%q", p.rest[:20])
	}
	return fmt.Sprintf("%q", p.rest)
}

func (p *parser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) sum(depth int) (*big.Rat, error) {
	left, err := p.product(depth)
	for err == nil && (p.peek() == '+' || p.peek() == '-') {
		sign := p.rest[0]
		p.rest = p.rest[1:]
		var right *big.Rat
		if right, err = p.product(depth); err == nil {
			if sign == '-' {
				right = new(big.Rat).Neg(right)
			}
			left = new(big.Rat).Add(left, right)
		}
	}
	return left, err
}

func (p *parser) product(depth int) (*big.Rat, error) {
	left, err := p.factor(depth)
	for err == nil && (p.peek() == '*' || p.peek() == '/' || p.peek() == '%') {
		sign := p.rest[0]
		p.rest = p.rest[1:]
		var right *big.Rat
		if right, err = p.factor(depth); err != nil {
			break
		}
		if sign == '*' {
			left = new(big.Rat).Mul(left, right)
		} else if right.Sign() == 0 {
			return nil, errors.New("division by zero")
		} else if quotient := new(big.Rat).Quo(left, right); sign == '/' {
			left = quotient
		} else {
			// The remainder has the sign of the left side, as in Go.
			whole := new(big.Int).Quo(quotient.Num(), quotient.Denom())
			left = new(big.Rat).Sub(left, new(big.Rat).Mul(right, new(big.Rat).SetInt(whole)))
		}
	}
	return left, err
}

func (p *parser) factor(depth int) (*big.Rat, error) {
	if depth > MostDepth {
		return nil, errors.New("the expression is nested too deeply")
	}
	switch p.peek() {
	case '-':
		p.rest = p.rest[1:]
		value, err := p.factor(depth + 1)
		if err != nil {
			return nil, err
		}
		return new(big.Rat).Neg(value), nil
	case '(':
		p.rest = p.rest[1:]
		value, err := p.sum(depth + 1)
		if err == nil && p.peek() != ')' {
			err = p.fault("expected `)`")
		}
		if err != nil {
			return nil, err
		}
		p.rest = p.rest[1:]
		return value, nil
	}
	return p.number()
}

func (p *parser) number() (*big.Rat, error) {
	length := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789."))
	word := p.rest[:length]
	value, ok := new(big.Rat).SetString(word)
	if !ok {
		return nil, p.fault("expected a number, found " + p.shown())
	}
	p.rest = p.rest[length:]
	return value, nil
}
