package fields

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Rule is a rule for new values. A stored object may have a value that a newer rule refuses, and may keep it.
type Rule interface {
	// Fault says what is wrong with a value. It is empty if nothing is, or if only the server knows: what depends on the
	// version of Unicode is left to it.
	Fault(value string) string
}

// Rule returns the rule for new values of a field; nil: it has none.
func (k Kind) Rule(field Field) Rule { return rules[k.Name+"."+field.Name] }

// form is the rule of a text that matches a pattern.
type form struct {
	pattern *regexp.Regexp
	message string
}

func (f form) Fault(value string) string {
	if value == "" || f.pattern.MatchString(value) {
		return ""
	}
	return f.message
}

// position names a character by its code point, which may be invisible.
func position(character rune, index int) string {
	return fmt.Sprintf("U+%04X (character %d)", character, index+1)
}

// legible is the rule of names: they look like no other name. Terraform itself normalises texts.
type legible struct{}

func (legible) Fault(value string) string {
	characters := []rune(value)
	fault := func(name string, isFault func(index int, character rune) bool) string {
		for index, character := range characters {
			if isFault(index, character) {
				return fmt.Sprintf("%s: %s.", nameFaults[name], position(character, index))
			}
		}
		return ""
	}
	around := fault("around", func(index int, character rune) bool {
		return (index == 0 || index == len(characters)-1) && unicode.Is(whiteSpace, character)
	})
	blank := fault("blank", func(_ int, character rune) bool { return unicode.Is(otherBlanks, character) })
	hidden := fault("invisible", func(_ int, character rune) bool {
		return unicode.Is(invisible, character) && !isOfEmoji(character)
	})
	return firstOf(around, blank, hidden)
}

func firstOf(faults ...string) string {
	for _, fault := range faults {
		if fault != "" {
			return fault
		}
	}
	return ""
}

// isOfEmoji says whether an invisible character changes the picture of an emoji: the joiner, the selector of pictures, and
// the tags of flags. The server knows the emoji.
func isOfEmoji(character rune) bool {
	return character == 0x200d || character == 0xfe0f || character >= 0xe0020 && character <= 0xe007f
}

// host is the rule of addresses: a host name or an IP address that other hosts reach.
type host struct {
	// refused has the kinds of special addresses that are refused, special their message.
	refused []string
	special string
}

type specialNetwork struct {
	kind     string
	networks []netip.Prefix
}

type specialName struct {
	kind  string
	names *regexp.Regexp
}

// embedding is a network whose addresses contain an IPv4 address, which ends this number of bytes before their end.
type embedding struct {
	network    netip.Prefix
	behind     int
	isInverted bool
}

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for index, text := range texts {
		all[index] = netip.MustParsePrefix(text)
	}
	return all
}

var plainHost = regexp.MustCompile(`^[A-Za-z0-9._:-]*$`)

func (h host) Fault(value string) string {
	if value == "" {
		return ""
	}
	if !plainHost.MatchString(value) {
		return foreignCharacter(value)
	}
	lower := strings.ToLower(value)
	ip, err := netip.ParseAddr(lower)
	isIP := err == nil
	if !isIP && strings.Contains(lower, ":") {
		return noHost
	}
	if slices.Contains(h.refused, specialKind(lower, ip, isIP)) {
		return h.special
	}
	if isIP {
		return ""
	}
	name := strings.TrimSuffix(lower, ".")
	for _, one := range hostNameFaults {
		if one.pattern.MatchString(name) {
			return noHost + " " + one.message
		}
	}
	return ""
}

// foreignCharacter says which character no host has. Other characters beyond ASCII may be letters.
func foreignCharacter(value string) string {
	for index, character := range []rune(value) {
		isLetter := character >= 0x80 && !unicode.Is(invisible, character) && !unicode.Is(otherBlanks, character)
		if !isLetter && !plainHost.MatchString(string(character)) {
			return fmt.Sprintf("%s Not allowed: %s.", noHost, position(character, index))
		}
	}
	return ""
}

// specialKind returns the kind of a special address; empty: it is none.
func specialKind(lower string, ip netip.Addr, isIP bool) string {
	if !isIP {
		for _, one := range specialNames {
			if one.names.MatchString(strings.TrimRight(lower, ".")) {
				return one.kind
			}
		}
		return ""
	}
	possible := meanings(ip)
	for _, one := range specialNetworks {
		for _, network := range one.networks {
			if slices.ContainsFunc(possible, network.Contains) {
				return one.kind
			}
		}
	}
	return ""
}

// meanings returns the addresses that an address can mean: itself, and the IPv4 addresses in it.
func meanings(ip netip.Addr) []netip.Addr {
	all := []netip.Addr{ip}
	if ip.Is4() || ip == netip.IPv6Unspecified() || ip == netip.IPv6Loopback() {
		return all
	}
	bytes := ip.As16()
	for _, one := range embeddings {
		if !contains(one.network, bytes) {
			continue
		}
		found := [4]byte(bytes[12-one.behind : 16-one.behind])
		if one.isInverted {
			for index := range found {
				found[index] = ^found[index]
			}
		}
		all = append(all, netip.AddrFrom4(found))
	}
	if contains(localTranslation, bytes) {
		all = append(all, locallyTranslated(bytes)...)
	}
	// ISATAP (RFC 5214), whatever the network.
	if bytes[8]&0xfd == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe {
		all = append(all, netip.AddrFrom4([4]byte(bytes[12:])))
	}
	return all
}

// contains says whether an IPv6 network contains an address. netip takes a mapped address for no member of a network.
func contains(network netip.Prefix, bytes [16]byte) bool {
	prefix, err := netip.AddrFrom16(bytes).Prefix(network.Bits())
	return err == nil && prefix.Addr() == network.Masked().Addr()
}

// locallyTranslated returns the IPv4 address behind a prefix of 48, 56, 64 (RFC 6052, section 2.2) or 96 bits, as the server
// does (shared/net/host.ts).
func locallyTranslated(bytes [16]byte) []netip.Addr {
	// Bits 64 to 71 are zero, and belong to no address.
	without := append(append([]byte{}, bytes[:8]...), bytes[9:]...)
	found := [][4]byte{[4]byte(bytes[12:])}
	for _, zeros := range []int{5, 4, 3} {
		end := len(without) - zeros
		if !slices.ContainsFunc(without[end:], func(one byte) bool { return one != 0 }) {
			found = append(found, [4]byte(without[end-4:end]))
		}
	}
	all := []netip.Addr{}
	for _, one := range found {
		// No translator forwards the network 0.0.0.0/8.
		if one[0] != 0 {
			all = append(all, netip.AddrFrom4(one))
		}
	}
	return all
}
