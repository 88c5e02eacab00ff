package fields

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// newValueCase is a value of a field, and the verdict of the server about it (tools/terraform-rules.ts).
type newValueCase struct {
	Kind  string `json:"kind"`
	Field string `json:"field"`
	Value string `json:"value"`
	// Message is nil for a valid value.
	Message *string `json:"message"`
	// IsOfUnicode says that the verdict depends on the version of Unicode: an invalid value may be left to the server.
	IsOfUnicode bool `json:"isOfUnicode"`
}

func ruleOf(t *testing.T, kind, name string) Rule {
	t.Helper()
	for _, one := range []Kind{Node, Service, Agent} {
		if field, isKnown := Find(one.Desired, name); one.Name == kind && isKnown {
			return one.Rule(field)
		}
	}
	t.Fatalf("no field %s.%s", kind, name)
	return nil
}

func TestRulesHaveTheVerdictOfTheServer(t *testing.T) {
	text, err := os.ReadFile("testdata/new-values.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []newValueCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, one := range cases {
		tested[one.Kind+"."+one.Field] = true
		fault := ruleOf(t, one.Kind, one.Field).Fault(one.Value)
		switch {
		case one.Message == nil:
			if fault != "" {
				t.Errorf("%s.%s %q is valid: %s", one.Kind, one.Field, one.Value, fault)
			}
		case fault == "" && one.IsOfUnicode:
		// An IPv4 address in another spelling is refused as a number, whatever it means.
		case strings.Contains(fault, "It ends in a number") && strings.HasPrefix(*one.Message, "Must not be"):
		case fault != *one.Message && !one.IsOfUnicode:
			t.Errorf("%s.%s %q: %q instead of %q", one.Kind, one.Field, one.Value, fault, *one.Message)
		}
	}
	for name := range rules {
		if !tested[name] {
			t.Errorf("no case of %s", name)
		}
	}
}

func TestInvisibleCharactersBeyondASCIIAreRefused(t *testing.T) {
	for _, one := range []struct{ kind, field, value, fault string }{
		{"node", "address", "10.0.0.1\u200b", noHost + " Not allowed: U+200B (character 9)."},
		{"node", "address", "d\u00f6\u00a0", noHost + " Not allowed: U+00A0 (character 3)."},
		{"node", "address", "d\u00f6", ""},
		{"node", "node_name", "\U0001f469\u200d\U0001f467", ""},
		{"node", "address", "", ""},
		{"service", "socket", "", ""},
	} {
		if fault := ruleOf(t, one.kind, one.field).Fault(one.value); fault != one.fault {
			t.Errorf("%s %q: %q instead of %q", one.field, one.value, fault, one.fault)
		}
	}
}
