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
	"strings"
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

// New returns a client. It sends nothing.
func New(options Options) (*Client, error) {
	base, err := url.Parse(options.URL)
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		return nil, fmt.Errorf("%q is not the URL of a server, such as https://inventory.example.com", options.URL)
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: options.Insecure}
	if options.CAFile != "" {
		pem, err := os.ReadFile(options.CAFile)
		if err != nil {
			return nil, err
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s contains no certificate in PEM", options.CAFile)
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = settings
	transport.MaxIdleConnsPerHost = 32
	return &Client{
		base:      strings.TrimRight(options.URL, "/"),
		key:       keyOf(options),
		userAgent: options.UserAgent,
		pause:     250 * time.Millisecond,
		http: &http.Client{
			Transport: transport,
			Timeout:   attemptTimeout,
			// The key must not be sent to another server.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func keyOf(options Options) func() (string, error) {
	return func() (string, error) {
		if options.KeyFile == "" {
			return options.Key, nil
		}
		text, err := os.ReadFile(options.KeyFile)
		return strings.TrimSpace(string(text)), err
	}
}

// Do sends a request, and stores the body of the reply in reply, unless it is nil. After 429, and after an attempt without
// a reply if the request can be repeated, it tries again. The error of a refused request is an *Error.
func (c *Client) Do(ctx context.Context, request Request, reply any) (status int, err error) {
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
		mayRepeat := had429 || request.IsRepeatable && (!isRefusal || isUnavailable(refusal.HTTP))
		wait := max(after, c.backoff(number))
		if !mayRepeat || number >= attempts || wait > longestWait || ctx.Err() != nil {
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

func isUnavailable(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
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
		return 0, 0, &Error{Status: "UNAUTHENTICATED", Message: err.Error(), HTTP: http.StatusUnauthorized}
	}
	sent.Header.Set("User-Agent", c.userAgent)
	if key != "" {
		sent.Header.Set("Authorization", "Bearer "+key)
	}
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	for name, value := range request.Header {
		sent.Header.Set(name, value)
	}
	response, err := c.http.Do(sent)
	if err != nil {
		return 0, 0, fmt.Errorf("%s did not answer: %w", c.base, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, 0, fmt.Errorf("%s sent an incomplete reply: %w", c.base, err)
	}
	if response.StatusCode >= 300 {
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
