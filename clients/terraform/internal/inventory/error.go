package inventory

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// Violation is a rule that a field of a request violates.
type Violation struct {
	Field   string `json:"field"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Error is a reply that is no success.
type Error struct {
	HTTP      int         `json:"-"`
	Status    string      `json:"status"`
	Message   string      `json:"message"`
	Details   []Violation `json:"details"`
	RequestID string      `json:"request_id"`
	// IsUncertain is true if an earlier attempt of the request had no reply: the refusal may be a result of that attempt.
	IsUncertain bool `json:"-"`
}

func (e *Error) Error() string {
	if e.RequestID == "" {
		return fmt.Sprintf("%s (%d)", e.Message, e.HTTP)
	}
	return fmt.Sprintf("%s (%d, request %s)", e.Message, e.HTTP, e.RequestID)
}

func refusalOf(status int, text []byte) *Error {
	refusal := &Error{}
	// A proxy may reply in another form.
	if json.Unmarshal(text, refusal) != nil || refusal.Message == "" {
		refusal = &Error{Status: "UNKNOWN", Message: "The server returned " + http.StatusText(status) + "."}
	}
	refusal.HTTP = status
	return refusal
}

// Refused returns the refusal in an error, nil without one, and whether it has one of these statuses of HTTP.
func Refused(err error, statuses ...int) (*Error, bool) {
	var refusal *Error
	if !errors.As(err, &refusal) {
		return nil, false
	}
	for _, status := range statuses {
		if refusal.HTTP == status {
			return refusal, true
		}
	}
	return refusal, false
}
