package inventory

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serve starts a server that sends these replies, one after the other; "cut" ends the connection.
func serve(t *testing.T, replies ...string) (client *Client, count *int) {
	t.Helper()
	count = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		reply := replies[min(*count, len(replies)-1)]
		*count++
		if reply == "cut" {
			panic(http.ErrAbortHandler)
		}
		var status int
		if _, err := fmt.Sscan(reply, &status); err != nil {
			t.Errorf("%q has no status", reply)
		}
		if status >= 400 {
			writer.Header().Set("Retry-After", "0")
		}
		writer.WriteHeader(status)
		fmt.Fprint(writer, strings.TrimSpace(reply[3:]))
	}))
	t.Cleanup(server.Close)
	client, err := New(Options{URL: server.URL, Key: "key"})
	if err != nil {
		t.Fatal(err)
	}
	client.pause = time.Millisecond
	return client, count
}

func TestRepetitions(t *testing.T) {
	const busy, unavailable, done = `429 {"message": "busy"}`, `503 {"message": "later"}`, `200 {"name": "a"}`
	cases := []struct {
		name         string
		isRepeatable bool
		replies      []string
		count        int
		succeeds     bool
		isUncertain  bool
	}{
		{"429 is repeated, whatever the request", false, []string{busy, busy, done}, 3, true, false},
		{"503 is repeated if a second effect is impossible", true, []string{unavailable, done}, 2, true, false},
		{"503 is not repeated otherwise", false, []string{unavailable, done}, 1, false, false},
		{"a lost reply is repeated if a second effect is impossible", true, []string{"cut", done}, 2, true, false},
		{"a lost reply is not repeated otherwise", false, []string{"cut", done}, 1, false, false},
		{"a refusal is not repeated", true, []string{`400 {"message": "wrong"}`, done}, 1, false, false},
		{"a refusal after a lost reply is uncertain", true, []string{"cut", `412 {"message": "changed"}`}, 2, false, true},
		{"a refusal after a 429 is certain", true, []string{busy, `412 {"message": "changed"}`}, 2, false, false},
		{"repetitions end", true, []string{busy}, attempts, false, false},
		{"a proxy's page is an error with its status", true, []string{"404 <html>"}, 1, false, false},
	}
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			client, count := serve(t, one.replies...)
			reply := Fields{}
			_, err := client.Do(context.Background(), Request{Method: http.MethodPut, Path: "/v1/x", Body: Fields{}, IsRepeatable: one.isRepeatable}, &reply)
			if *count != one.count || (err == nil) != one.succeeds {
				t.Fatalf("%d requests, error %v", *count, err)
			}
			if one.succeeds && reply["name"] != "a" {
				t.Errorf("the reply is %v", reply)
			}
			if refusal, _ := Refused(err); refusal != nil && refusal.IsUncertain != one.isUncertain {
				t.Errorf("uncertain: %v", refusal.IsUncertain)
			}
		})
	}
}

func TestKeyFileIsReadForEachRequest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		sent = append(sent, request.Header.Get("Authorization"))
	}))
	defer server.Close()
	client, err := New(Options{URL: server.URL, KeyFile: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"one", "two"} {
		if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Do(context.Background(), Request{Method: http.MethodGet, Path: "/"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(sent, ",") != "Bearer one,Bearer two" {
		t.Errorf("sent %v", sent)
	}
}

func TestSelectorsQuoteValuesAndStayWithinTheLimits(t *testing.T) {
	if all := selectors("node_name", []string{`a "b" \`}); len(all) != 1 || all[0] != `node_name in ("a \"b\" \\")` {
		t.Errorf("%v", all)
	}
	var names []string
	for index := range 120 {
		names = append(names, fmt.Sprint("n", index))
	}
	for index := range 5 {
		names = append(names, strings.Repeat("x", 512)+fmt.Sprint(index))
	}
	count := 0
	for _, one := range selectors("node_name", names) {
		values := strings.Count(one, ",") + 1
		count += values
		if values > 50 || len(one) > 2000 {
			t.Errorf("%d values, %d characters", values, len(one))
		}
	}
	if count != len(names) {
		t.Errorf("%d values", count)
	}
}
