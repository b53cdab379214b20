package calc

import (
	"strings"
	"testing"
)

func TestEvaluatesExactly(t *testing.T) {
	cases := map[string]string{
		"1 + 2 * 3": "7", "(1 + 2) * 3": "9", "1/3 + 1/6": "1/2", "0.1 + 0.2": "3/10", "-(2 - 5)": "3", "8 / 4 / 2": "1", "10 - 3 - 2": "5",
	}
	for text, expected := range cases {
		if value, err := Evaluate(text); err != nil || value != expected {
			t.Errorf("%s = %s, %v; expected %s", text, value, err, expected)
		}
	}
}

func TestRejectsWhatIsNoExpression(t *testing.T) {
	for _, text := range []string{"", "1 +", "(1", "1)", "1 / 0", "two", "1..2", strings.Repeat("(", 1000000), strings.Repeat("-", 1000000) + "1"} {
		if value, err := Evaluate(text); err == nil {
			t.Errorf("%.20s = %s", text, value)
		}
	}
}
