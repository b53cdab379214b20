// Package calc has the tool of the skill calc: exact arithmetic by recursive descent, without eval and dependencies.
package calc

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"example.com/majordomo/skill"
)

// MostDepth is the limit of nested parentheses and signs.
const MostDepth = 100

// Tools returns the tool `calc_evaluate`.
func Tools() map[string]skill.Tool {
	return map[string]skill.Tool{"calc_evaluate": {Name: "calc_evaluate", Call: Evaluate}}
}

// Evaluate returns the exact value of an expression of +, -, *, / and parentheses: `1/3 + 1/6` is `1/2`.
func Evaluate(text string) (string, error) {
	p := &parser{rest: text}
	value, err := p.sum(0)
	if err != nil {
		return "", err
	}
	if p.peek() != 0 {
		return "", fmt.Errorf("unexpected %q", p.rest)
	}
	return value.RatString(), nil
}

type parser struct{ rest string }

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
	for err == nil && (p.peek() == '*' || p.peek() == '/') {
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
		} else {
			left = new(big.Rat).Quo(left, right)
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
			err = errors.New("a parenthesis is not closed")
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
		return nil, fmt.Errorf("expected a number at %q", p.rest)
	}
	p.rest = p.rest[length:]
	return value, nil
}
