// Package clock has the tools of the skill clock. The clock is passed in, so a test can set it.
package clock

import (
	"fmt"
	"strings"
	"time"

	"example.com/majordomo/agent"
)

// Tools returns the tools `clock_now` and `clock_between`.
func Tools(now func() time.Time) agent.Toolbox {
	return agent.Toolbox{
		"clock_now": {Name: "clock_now", Call: func(zone string) (string, error) {
			place, err := time.LoadLocation(strings.TrimSpace(zone))
			if err != nil {
				return "", err
			}
			return now().In(place).Format(time.RFC3339), nil
		}},
		"clock_between": {Name: "clock_between", Call: between},
	}
}

// between returns the time from one moment to another, written as two times with a space between.
func between(input string) (string, error) {
	words := strings.Fields(input)
	if len(words) != 2 {
		return "", fmt.Errorf("expected two times, got %d", len(words))
	}
	var times [2]time.Time
	for number, word := range words {
		read, err := time.Parse(time.RFC3339, word)
		if err != nil {
			return "", err
		}
		times[number] = read
	}
	return times[1].Sub(times[0]).String(), nil
}
