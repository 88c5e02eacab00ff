// Code generated from the contracts in functions/ by `npm run generate`. DO NOT EDIT.

package fields

import (
	"regexp"
	"unicode"
)

// rules has the rules by kind and field.
var rules = map[string]Rule{
	"node.node_name":       legible{},
	"node.address":         host{[]string{"loopback", "link-local", "unspecified", "multicast", "reserved", "cloud service"}, "Must not be a loopback, link-local, unspecified, multicast, reserved or cloud service address."},
	"service.service_name": legible{},
	"service.address":      host{[]string{"link-local", "unspecified", "multicast", "reserved", "cloud service"}, "Must not be a link-local, unspecified, multicast, reserved or cloud service address."},
	"service.socket":       form{regexp.MustCompile("^/."), "Must be an absolute path, such as /run/mysqld/mysqld.sock."},
	"agent.metrics_path":   form{regexp.MustCompile("^/(?:[^/\\\\]|$)"), "Must begin with exactly one slash."},
}

// whiteSpace has the characters that no name begins or ends with.
var whiteSpace = &unicode.RangeTable{
	R16: []unicode.Range16{{0x9, 0xd, 1}, {0x20, 0x20, 1}, {0xa0, 0xa0, 1}, {0x1680, 0x1680, 1}, {0x2000, 0x200a, 1}, {0x2028, 0x2029, 1}, {0x202f, 0x202f, 1}, {0x205f, 0x205f, 1}, {0x3000, 0x3000, 1}, {0xfeff, 0xfeff, 1}},
	R32: []unicode.Range32{},
}

// otherBlanks has the characters that look like a space.
var otherBlanks = &unicode.RangeTable{
	R16: []unicode.Range16{{0x9, 0xd, 1}, {0xa0, 0xa0, 1}, {0x1680, 0x1680, 1}, {0x2000, 0x200a, 1}, {0x2028, 0x2029, 1}, {0x202f, 0x202f, 1}, {0x205f, 0x205f, 1}, {0x2800, 0x2800, 1}, {0x3000, 0x3000, 1}, {0xfeff, 0xfeff, 1}},
	R32: []unicode.Range32{},
}

// invisible has the invisible characters, also those of emoji.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{{0xad, 0xad, 1}, {0x34f, 0x34f, 1}, {0x61c, 0x61c, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1}, {0x200b, 0x200f, 1}, {0x202a, 0x202e, 1}, {0x2060, 0x206f, 1}, {0x3164, 0x3164, 1}, {0xfdd0, 0xfdef, 1}, {0xfe00, 0xfe0f, 1}, {0xfeff, 0xfeff, 1}, {0xffa0, 0xffa0, 1}, {0xfff0, 0xfffb, 1}, {0xfffe, 0xffff, 1}},
	R32: []unicode.Range32{{0x1bca0, 0x1bca3, 1}, {0x1d173, 0x1d17a, 1}, {0x1fffe, 0x1ffff, 1}, {0x2fffe, 0x2ffff, 1}, {0x3fffe, 0x3ffff, 1}, {0x4fffe, 0x4ffff, 1}, {0x5fffe, 0x5ffff, 1}, {0x6fffe, 0x6ffff, 1}, {0x7fffe, 0x7ffff, 1}, {0x8fffe, 0x8ffff, 1}, {0x9fffe, 0x9ffff, 1}, {0xafffe, 0xaffff, 1}, {0xbfffe, 0xbffff, 1}, {0xcfffe, 0xcffff, 1}, {0xdfffe, 0xe0fff, 1}, {0xefffe, 0xeffff, 1}, {0xffffe, 0xfffff, 1}, {0x10fffe, 0x10ffff, 1}},
}

// nameFaults has the messages of names.
var nameFaults = map[string]string{
	"around":    "Must not begin or end with white space",
	"blank":     "Must not contain blanks other than the space (U+0020)",
	"invisible": "Must not contain invisible characters, except those of an emoji",
}

// noHost is the message of a text that is no host.
const noHost = "Must be a host name, an IP address or an instance identifier, without a port, a user or a path."

// specialNetworks has the networks of each kind of special address.
var specialNetworks = []specialNetwork{
	{"loopback", prefixes("127.0.0.0/8", "::1/128")},
	{"link-local", prefixes("169.254.0.0/16", "fe80::/10")},
	{"unspecified", prefixes("0.0.0.0/8", "::/128")},
	{"multicast", prefixes("224.0.0.0/4", "ff00::/8")},
	{"reserved", prefixes("240.0.0.0/4")},
	{"cloud service", prefixes("fd00:ec2::/32", "fd20:ce::254/128", "fd00:42::42/128", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32")},
}

// specialNames has the names that need no DNS.
var specialNames = []specialName{
	{"loopback", regexp.MustCompile("^((.+\\.)?localhost|localhost[46]?\\.localdomain[46]?|localhost[46]|ip6-(localhost|loopback))$")},
	{"cloud service", regexp.MustCompile("^(metadata(\\.goog|\\.google\\.internal|\\.tencentyun\\.com)?|instance-data(\\.ec2\\.internal)?)$")},
}

// embeddings has the IPv6 networks with IPv4 addresses in their addresses.
var embeddings = []embedding{
	{prefixes("::ffff:0:0/96")[0], 0, false},
	{prefixes("::/96")[0], 0, false},
	{prefixes("::ffff:0:0:0/96")[0], 0, false},
	{prefixes("64:ff9b::/96")[0], 0, false},
	{prefixes("2002::/16")[0], 10, false},
	{prefixes("2001::/32")[0], 8, false},
	{prefixes("2001::/32")[0], 0, true},
}

// localTranslation has the addresses of local translators.
var localTranslation = prefixes("64:ff9b:1::/48")[0]

// hostNameFaults has the faults of host names.
var hostNameFaults = []form{
	{regexp.MustCompile("(?:^|\\.)(?:[.-]|$)"), "A dot or hyphen begins it, or follows a dot: remove it."},
	{regexp.MustCompile("(?:^|\\.)(?:[0-9]+|0x[0-9a-f]*)$"), "It ends in a number: write an IPv4 address such as 10.0.0.1, or a name."},
	{regexp.MustCompile("^.{254}|[^.]{64}"), "It has more than 253 characters, or 63 between dots: shorten it."},
}
