package clock

import (
	"testing"
	"time"
)

func TestToolsUseThePassedClock(t *testing.T) {
	tools := Tools(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	for _, test := range []struct{ tool, input, expected string }{
		{"clock_now", "UTC", "2026-11-20T12:00:00Z"},
		{"clock_between", "2026-11-20T12:00:00Z 2026-11-21T13:30:00+01:00", "24h30m0s"},
	} {
		if result, err := tools[test.tool].Call(test.input); err != nil || result != test.expected {
			t.Errorf("%s(%s) = %s, %v", test.tool, test.input, result, err)
		}
	}
	for tool, input := range map[string]string{"clock_now": "Nowhere/At_All", "clock_between": "yesterday today"} {
		if result, err := tools[tool].Call(input); err == nil {
			t.Errorf("%s(%s) = %s", tool, input, result)
		}
	}
}
