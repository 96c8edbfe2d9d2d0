package bridge

import "io/fs"

// Project is a whole generated tree: the tables, and the files beside their code.
type Project struct {
	Tables []Any
	Files  fs.FS // <table>/<table>.avsc, <table>/connect-s3-sink.json, <table>/places.json, <table>/trino/*.sql
}

// Table finds a table by name.
func (p Project) Table(name string) (Any, bool) {
	for _, t := range p.Tables {
		if t.Info().Table == name {
			return t, true
		}
	}
	return nil, false
}
