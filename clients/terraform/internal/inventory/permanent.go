package inventory

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"
)

// SettingError says that a setting is wrong: no repetition heals it.
type SettingError struct {
	// Setting is the argument of the provider: "url", "key", "key_file" or "ca_file"; "" of a variable without an argument.
	Setting string
	Message string
}

func (e *SettingError) Error() string { return e.Message }

// wrong returns the error about a setting, which has another name in the environment.
func wrong(setting, format string, values ...any) *SettingError {
	return &SettingError{Setting: setting, Message: fmt.Sprintf(format, values...)}
}

// addressOf returns the address of a server in its normal form: without a slash at the end, and without /v1, which each path
// begins with. Its error does not show the text, which can contain a password.
func addressOf(text string) (string, error) {
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil || base.Host == "" || base.User != nil || base.RawQuery != "" || base.ForceQuery || strings.Contains(text, "#") ||
		(base.Scheme != "https" && base.Scheme != "http") {
		return "", wrong("url", "url (INVENTORY_URL) must be such as https://inventory.example.")
	}
	base.Host = strings.ToLower(base.Host)
	address := strings.TrimRight(base.String(), "/")
	// Addresses of API Gateway end with a stage, which can have this name.
	if strings.Contains(base.Host, ".execute-api.") {
		return address, nil
	}
	return strings.TrimRight(strings.TrimSuffix(address, "/v1"), "/"), nil
}

// keyOf returns the key without white space and byte order mark around it. Its error does not show the text.
func keyOf(text, setting, name string) (string, error) {
	key := strings.TrimFunc(text, func(one rune) bool { return unicode.IsSpace(one) || one == '\ufeff' })
	if key == "" || strings.ContainsFunc(key, func(one rune) bool { return one < '!' || one > '~' }) {
		return "", wrong(setting, "%s is empty, or has a character that no key has.", name)
	}
	return key, nil
}

// failure returns the error of a request without a reply: a SettingError if no repetition can have one.
func (c *Client) failure(err error) error {
	reason := err
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		reason = wrapped.Err
	}
	if setting := (*SettingError)(nil); errors.As(err, &setting) {
		return setting
	}
	if other := (x509.HostnameError{}); errors.As(err, &other) {
		return wrong("url", "%s has a certificate with other names: %v. Correct url.", c.base, other)
	}
	if untrusted := (*tls.CertificateVerificationError)(nil); errors.As(err, &untrusted) {
		return wrong("ca_file", "%s is not trusted: %v. Set ca_file (INVENTORY_CA); of npm start: DATA_DIR/tls-cert.pem.", c.base, reason)
	}
	if errors.Is(err, http.ErrSchemeMismatch) {
		return wrong("url", "%s cannot be called: %v. Correct url.", c.base, reason)
	}
	// So ends also a connection without TLS to a port that needs it.
	if errors.Is(err, io.EOF) && strings.HasPrefix(c.base, "http:") {
		return fmt.Errorf("%s did not answer: %w (is it https://?)", c.base, reason)
	}
	return fmt.Errorf("%s did not answer: %w", c.base, reason)
}

// refusedByProxy returns the error of a proxy that wants a user and a password, or forbids the host. It has no argument of the
// provider.
func (c *Client) refusedByProxy(response *http.Response) error {
	return wrong("", "%s cannot be called: the proxy replied %s. Correct HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT.", c.base, response.Status)
}

// checkTunnel is called with the reply of a proxy to the request for a connection.
func (c *Client) checkTunnel(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode == http.StatusProxyAuthRequired || response.StatusCode == http.StatusForbidden {
		return c.refusedByProxy(response)
	}
	return nil
}

// foreign returns the error of a reply that no inventory sends; nil if it can be one.
func (c *Client) foreign(response *http.Response, text []byte) error {
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		return wrong("url", "%s redirects to %s: correct url.", c.base, response.Header.Get("Location"))
	}
	if response.StatusCode == http.StatusProxyAuthRequired {
		return c.refusedByProxy(response)
	}
	contentType := response.Header.Get("Content-Type")
	// A cut reply is a part of JSON.
	if response.StatusCode < 300 && len(text) > 0 && !json.Valid(text) && !strings.Contains(contentType, "json") {
		return wrong("url", "%s is not an inventory: its reply is %s. Correct url.", c.base, contentType)
	}
	return nil
}

// isPassing tells whether a repetition of the request can have another reply. A 429 had no effect.
func isPassing(err error, isRepeatable bool) bool {
	var setting *SettingError
	if errors.As(err, &setting) {
		return false
	}
	refusal, isBusy := Refused(err, http.StatusTooManyRequests)
	_, isUnavailable := Refused(err, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout)
	return isBusy || isRepeatable && (refusal == nil || isUnavailable)
}
