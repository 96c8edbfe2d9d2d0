package spec

import (
	"net/url"
	"regexp"
	"strings"
)

// streamRules are about the topic, the registry and the state in Redis.
var streamRules = []Rule{
	{ID: "STREAM_TOPIC", Purpose: "a topic is named as Kafka allows, and readers see its folder",
		Why:  "Kafka takes up to 249 letters, digits, dots, _ and -, and the topic of dead letters has five more (-dead). The topic is the last folder of the table's location (T1-T4): Trino passes over folders that begin with _ or a dot, and the S3 sink fails on every record if the word tombstone stands in it.",
		Bad:  "stream: {topic: order events}",
		Good: "stream: {topic: order-events}", check: checkTopic},
	{ID: "STREAM_REGISTRY", Purpose: "the registry is an http or https URL without a password",
		Why:  "The Connect config and the writers ask it for the value schema. A password in the URL would be committed with the spec: name it as ${provider:key}, or give it to the program as a flag or in its environment.",
		Bad:  "stream: {topic: order-events, registry: \"schema-registry:8081\"}",
		Good: "stream: {topic: order-events, registry: \"http://schema-registry:8081\"}", check: checkRegistry},
	{ID: "SPEED_KEY", Purpose: "the Redis key names every key column, and nothing else",
		Why:  "A key column that is missing would make two rows share one state; another column would leave the old state behind when it changes. Between two columns stands a text, or 1 and 23 would give the key of 12 and 3; within strings its characters are written %XX. {{ and }} are literal braces, for the hash tags of a cluster.",
		Bad:  "speed: {key: \"order:{number}\"}",
		Good: "speed: {key: \"order:{id}\"}", check: checkSpeedKey},
}

var (
	topicName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,244}$`)
	bare      = regexp.MustCompile(`\$\{([^}:]*)\}?`)
	provider  = regexp.MustCompile(`\$\{[A-Za-z0-9_-]+:[^}]+\}`)
)

func checkTopic(t *Table, r reporter) {
	switch v := t.Stream.Topic; {
	case !v.Set:
	case !topicName.MatchString(v.V), v.V == ".", v.V == "..":
		r.at(v.Pos, "topic %q is none that Kafka allows: up to 244 letters, digits, dots, _ and -", v.V)
	case strings.Contains(strings.ToLower(v.V), tombstone):
		r.at(v.Pos, "topic %q: the S3 sink fails on every record if the word tombstone stands in its path; write another topic", v.V)
	case v.V[0] == '_' || v.V[0] == '.':
		r.at(v.Pos, "topic %q: Trino passes over folders that begin with _ or a dot, and the topic is the table's folder", v.V)
	}
}

func checkRegistry(t *Table, r reporter) {
	v := t.Stream.Registry
	if !v.Set || bare.MatchString(provider.ReplaceAllString(v.V, "")) {
		return // absent, or a bad placeholder, which has a rule of its own
	}
	for one := range strings.SplitSeq(provider.ReplaceAllString(v.V, "http://placeholder"), ",") {
		if strings.HasPrefix(one, "http://placeholder") {
			continue
		}
		u, err := url.Parse(one)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
			r.at(v.Pos, "registry %q is no URL; write http://HOST:PORT or https://HOST", v.V)
			return
		case u.User != nil:
			r.at(v.Pos, "registry: a user and a password must not stand in a spec; name the URL as ${provider:key}, or give it to the program")
			return
		}
	}
}

// checkPlaceholder reports ${NAME}, which no config provider resolves.
func checkPlaceholder(key string, v Text, r reporter) {
	if !v.Set {
		return
	}
	if m := bare.FindStringSubmatch(provider.ReplaceAllString(v.V, "")); m != nil {
		name := m[1]
		if name == "" {
			name = "NAME"
		}
		r.at(v.Pos, "%s %q: nothing resolves ${%s}; name the provider: ${env:%s}", key, v.V, m[1], name)
	}
}

func checkSpeedKey(t *Table, r reporter) {
	v := t.Speed.Key
	if !v.Set || !t.Key.Set {
		return
	}
	parts, err := ParseKeyTemplate(v.V)
	if err != nil {
		r.at(v.Pos, "speed key %q has %v", v.V, err)
		return
	}
	named := map[string]bool{}
	for i, p := range parts {
		if p.Column == "" {
			continue
		}
		if !t.isKey(p.Column) {
			r.at(v.Pos, "speed key %q names %q, which is no key column%s", v.V, p.Column, nearestColumn(p.Column, t.keyNames()))
		}
		if i > 0 && parts[i-1].Column != "" {
			r.at(v.Pos, "speed key %q: a text must stand between {%s} and {%s}, or two keys could meet", v.V, parts[i-1].Column, p.Column)
		}
		named[p.Column] = true
	}
	for _, k := range t.keyNames() {
		if !named[k] {
			r.at(v.Pos, "speed key %q leaves out key column %q; write {%s} into it", v.V, k, k)
		}
	}
}

func (t *Table) keyNames() []string {
	var names []string
	for _, k := range t.Key.V {
		names = append(names, k.V)
	}
	return names
}

func (t *Table) isKey(name string) bool {
	for _, k := range t.Key.V {
		if k.V == name {
			return true
		}
	}
	return false
}
