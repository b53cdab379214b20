package calc

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEvaluatesExactly(t *testing.T) {
	cases := map[string]string{
		"1 + 2 * 3": "7", "(1 + 2) * 3": "9", "1/3 + 1/6": "0.5", "0.1 + 0.2": "0.3", "-(2 - 5)": "3", "8 / 4 / 2": "1", "10 - 3 - 2": "5",
		"5 % 2": "1", "-5 % 2": "-1", "5.5 % 2": "1.5", "7 % 4 * 2": "6", "2 / 3": "2/3", "1 / 8": "0.125", "-1 / 7": "-1/7", "100 / 10": "10",
	}
	for text, expected := range cases {
		if value, err := Evaluate(text); err != nil || value != expected {
			t.Errorf("%s = %s, %v; expected %s", text, value, err, expected)
		}
	}
}

func TestRejectsWhatIsNoExpression(t *testing.T) {
	deep := strings.Repeat("(", MostDepth+2)
	for text, position := range map[string]string{
		"": "1", "1 +": "4", "(1": "3", "1)": "2", "1 / 0": "", "1 % 0": "", "two": "1", "1..2": "1", "1 2": "3", deep: "", deep + deep: "",
		strings.Repeat("-", MostDepth+2) + "1": "", strings.Repeat("1+", MostBytes): "",
	} {
		value, err := Evaluate(text)
		if err == nil {
			t.Errorf("%.20s = %s", text, value)
		} else if position != "" && !strings.HasSuffix(err.Error(), " at position "+position) {
			t.Errorf("%.20s: %v; expected position %s", text, err, position)
		}
	}
}

// What the skill tells the model is what the tool does.
func TestDoesWhatTheSkillSays(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "skills", "calc", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	body := string(text)
	examples := regexp.MustCompile("`([^`]+)` gives `([^`]+)`").FindAllStringSubmatch(body, -1)
	if len(examples) < 2 {
		t.Fatalf("the skill has %d examples", len(examples))
	}
	for _, example := range examples {
		if value, err := Evaluate(example[1]); err != nil || value != example[2] {
			t.Errorf("%s = %s, %v; the skill says %s", example[1], value, err, example[2])
		}
	}
	operators := regexp.MustCompile("supports `([^`]+)`").FindStringSubmatch(body)
	if operators == nil || len(strings.Fields(operators[1])) != 5 {
		t.Fatalf("the skill lists %v", operators)
	}
	for _, operator := range strings.Fields(operators[1]) {
		if _, err := Evaluate("7 " + operator + " 2"); err != nil {
			t.Errorf("%s: %v", operator, err)
		}
	}
}
