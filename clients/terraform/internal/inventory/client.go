// Package inventory calls the API of the inventory.
package inventory

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

// The number of attempts of a request, the time of one, and the longest wait between two.
const (
	attempts       = 6
	attemptTimeout = 60 * time.Second
	longestWait    = 90 * time.Second
)

// Client calls one server.
type Client struct {
	base      string
	key       func() (string, error)
	http      *http.Client
	userAgent string
	// pause is the first wait before a repetition, without Retry-After.
	pause time.Duration
	// names has the names of objects by id. The name of an id never changes.
	names names
	// missing is the error of every request of a client without settings.
	missing error
}

// Options of a client.
type Options struct {
	URL string
	// Key is the key; KeyFile is read for each request, so that a rotated key counts at once.
	Key, KeyFile string
	// CAFile has the certificates of authorities in PEM.
	CAFile    string
	Insecure  bool
	UserAgent string
}

// Request is one call of the API.
type Request struct {
	Method, Path string
	Query        url.Values
	Body         any
	Header       map[string]string
	// IsRepeatable is true if a repetition has no second effect.
	IsRepeatable bool
}

// WithoutSettings returns a client of a server that is not known yet. All its requests have this error.
func WithoutSettings(err error) *Client { return &Client{missing: err} }

// HasSettings tells whether requests can be sent.
func (c *Client) HasSettings() bool { return c.missing == nil }

// New returns a client. It sends nothing. The error of a wrong setting is a *SettingError.
func New(options Options) (*Client, error) {
	base, err := addressOf(options.URL)
	if err != nil {
		return nil, err
	}
	if options.KeyFile == "" {
		if _, err := keyOf(options.Key, "key", "key (INVENTORY_KEY)"); err != nil {
			return nil, err
		}
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: options.Insecure}
	if options.CAFile != "" {
		pem, err := os.ReadFile(options.CAFile)
		if err != nil {
			return nil, wrong("ca_file", "ca_file (INVENTORY_CA) cannot be read: %v", err)
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(pem) {
			return nil, wrong("ca_file", "ca_file (INVENTORY_CA) contains no certificate in PEM: %s", options.CAFile)
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = settings
	transport.MaxIdleConnsPerHost = 32
	client := &Client{
		base:      base,
		key:       keyIn(options),
		userAgent: options.UserAgent,
		pause:     250 * time.Millisecond,
		http: &http.Client{
			Transport: transport,
			Timeout:   attemptTimeout,
			// The key must not be sent to another server.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	transport.OnProxyConnectResponse = client.checkTunnel
	return client, nil
}

func keyIn(options Options) func() (string, error) {
	return func() (string, error) {
		if options.KeyFile == "" {
			return keyOf(options.Key, "key", "key (INVENTORY_KEY)")
		}
		text, err := os.ReadFile(options.KeyFile)
		if err != nil {
			return "", wrong("key_file", "key_file (INVENTORY_KEY_FILE) cannot be read: %v", err)
		}
		return keyOf(string(text), "key_file", "key_file (INVENTORY_KEY_FILE) "+options.KeyFile)
	}
}

// Do sends a request, and stores the body of the reply in reply, unless it is nil. After 429, and after an attempt without
// a reply if the request can be repeated, it tries again. The error of a refused request is an *Error, that of a wrong setting a
// *SettingError.
func (c *Client) Do(ctx context.Context, request Request, reply any) (status int, err error) {
	if c.missing != nil {
		return 0, c.missing
	}
	var body []byte
	if request.Body != nil {
		if body, err = json.Marshal(request.Body); err != nil {
			return 0, err
		}
	}
	isUncertain := false
	for number := 1; ; number++ {
		status, after, err := c.attempt(ctx, request, body, reply)
		if err == nil {
			return status, nil
		}
		var refusal *Error
		isRefusal := errors.As(err, &refusal)
		if isRefusal {
			refusal.IsUncertain = isUncertain
		}
		had429 := isRefusal && refusal.HTTP == http.StatusTooManyRequests
		wait := max(after, c.backoff(number))
		if !isPassing(err, request.IsRepeatable) || number >= attempts || wait > longestWait || ctx.Err() != nil {
			return status, err
		}
		isUncertain = isUncertain || !had429
		select {
		case <-ctx.Done():
			return status, err
		case <-time.After(wait):
		}
	}
}

// backoff doubles with each attempt. Clients that failed together do not repeat together.
func (c *Client) backoff(number int) time.Duration {
	return time.Duration(float64(c.pause<<(number-1)) * (1 + rand.Float64()))
}

// attempt returns the status and the time in Retry-After.
func (c *Client) attempt(ctx context.Context, request Request, body []byte, reply any) (int, time.Duration, error) {
	address := c.base + request.Path
	if len(request.Query) > 0 {
		address += "?" + request.Query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, request.Method, address, bytes.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	key, err := c.key()
	if err != nil {
		return 0, 0, err
	}
	sent.Header.Set("User-Agent", c.userAgent)
	sent.Header.Set("Authorization", "Bearer "+key)
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	for name, value := range request.Header {
		sent.Header.Set(name, value)
	}
	response, err := c.http.Do(sent)
	if err != nil {
		return 0, 0, c.failure(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, 0, fmt.Errorf("%s sent an incomplete reply: %w", c.base, err)
	}
	if err := c.foreign(response, text); err != nil {
		return 0, 0, err
	}
	if response.StatusCode >= 400 {
		return response.StatusCode, retryAfter(response.Header), refusalOf(response.StatusCode, text)
	}
	if reply == nil || len(text) == 0 {
		return response.StatusCode, 0, nil
	}
	if err := decode(text, reply); err != nil {
		return 0, 0, fmt.Errorf("%s sent a reply that is no JSON: %w", c.base, err)
	}
	return response.StatusCode, 0, nil
}

// decode keeps whole numbers exact.
func decode(text []byte, reply any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(reply)
}

func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return time.Until(date)
	}
	return 0
}
