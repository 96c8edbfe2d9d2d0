package spec

import (
	"slices"
	"time"
)

// Val is a value of a spec with its place. The zero Val means that the key is absent;
// one that has a place and is not Set was wrong and has been reported.
type Val[T any] struct {
	V   T
	Pos Pos
	Set bool
}

// Or is the value, or d where the key is absent.
func (v Val[T]) Or(d T) T {
	if v.Set {
		return v.V
	}
	return d
}

// under is v, or the project's default where v is absent.
func (v Val[T]) under(d Val[T]) Val[T] {
	if v.Set || v.Pos.Line > 0 {
		return v
	}
	return d
}

// The kinds of values that specs hold.
type (
	Text     = Val[string]
	Bool     = Val[bool]
	Size     = Val[int]
	Duration = Val[time.Duration]
	List     = Val[[]Text]
)

// Spec is one table as it was written. Nothing is filled in: an absent key is a Val
// that is not Set.
type Spec struct {
	File      string // as given to Parse
	Pos       Pos    // of the first key
	Version   Text   // the key bridgegen
	Table     Text
	Record    Text
	Namespace Text
	Doc       Text
	Columns   Val[[]*Column]
	Key       List
	Deletes   Bool
	Settings
	wrong []string // sections that are no keys and values, which has been reported
}

// absent reports whether nobody wrote the key at path, be it wrongly.
func (s *Spec) absent(path string, v Text) bool {
	section, _ := splitPath(path)
	return !v.Set && v.Pos.Line == 0 && !slices.Contains(s.wrong, section)
}

// Settings are the sections that a spec and the defaults of a project share.
type Settings struct {
	Dedup     Dedup
	Partition Partition
	Lake      Lake
	Batch     Batch
	Stream    Stream
	Speed     Speed
	Trino     Trino
	Lag       Lag
}

// Column is one item of columns.
type Column struct {
	Pos       Pos
	Name      Text
	Type      Val[Type]
	Optional  Bool
	Default   Val[Scalar]
	Values    Val[[]EnumValue]
	Fallback  Text
	Normalize List
	Derive    Val[Expression]
	Validate  Val[Expression]
	Fields    Val[[]*Column] // of a struct, or of those in a list or map
	From      Text
	GoName    Text
	Doc       Text
}

// Type is a type as written: decimal(10,2) is the word decimal with two parameters.
type Type struct {
	Word             string // a word of types.All; empty if the text is no type
	Precision, Scale int    // of a decimal
	Elem             *Type  // of a list what it holds, of a map its values
}

// Scalar is a default: its text, and whether it was quoted.
type Scalar struct {
	Text   string
	Quoted bool
}

// EnumValue is one item of values: a symbol, or a mapping of a symbol to the spelling
// of the source.
type EnumValue struct {
	Symbol Text
	Source Text // not Set: the symbol
}

// Expression is the text of derive or validate.
type Expression struct {
	Text  string
	place func(offset int) Pos
}

// At is the place of a byte offset into Text; where escapes or line folding hide it,
// that of the whole value.
func (e Expression) At(offset int) Pos { return e.place(offset) }

// Sections. Their keys, words and defaults stand in Keys.
type (
	// Dedup is the table's part of the one order.
	Dedup struct {
		Version, Prefer Text
		MaxFuture       Duration
	}
	// Partition places rows below the table's folder.
	Partition struct{ Time, By Text }
	// Lake says where objects lie and how they are written.
	Lake struct {
		Bucket, Dir, Region, Codec Text
		FlushSize                  Size
		RotateInterval             Duration
	}
	// Batch is what a load reads.
	Batch struct {
		Source, Zone, Extra, Missing Text
		Nulls                        List
	}
	// Stream is the canonical topic.
	Stream struct{ Topic, Registry, Compatibility Text }
	// Speed is the state in Redis.
	Speed struct {
		Key Text
		TTL Duration
	}
	// Trino names what the SQL creates.
	Trino struct{ Catalog, Schema, Views Text }
	// Lag holds the limits of `bridge lag`.
	Lag struct{ Streaming, Batch Duration }
)

// ProjectFile is bridgegen.yaml as written.
type ProjectFile struct {
	File      string
	Pos       Pos
	Version   Text
	Project   Text
	Specs     List // globs, relative to the file
	Out       Text
	GoPackage Text // the key package below go
	Defaults  Settings
}

// Under is s with the project's defaults below it; p may be nil. The values of the
// defaults keep their places in the project file.
func (s *Spec) Under(p *ProjectFile) *Spec {
	if p == nil {
		return s
	}
	merged := *s
	merged.Settings = s.Settings.under(p.Defaults)
	return &merged
}

func (s Settings) under(d Settings) Settings {
	return Settings{
		Dedup:     Dedup{s.Dedup.Version.under(d.Dedup.Version), s.Dedup.Prefer.under(d.Dedup.Prefer), s.Dedup.MaxFuture.under(d.Dedup.MaxFuture)},
		Partition: Partition{s.Partition.Time.under(d.Partition.Time), s.Partition.By.under(d.Partition.By)},
		Lake: Lake{
			Bucket: s.Lake.Bucket.under(d.Lake.Bucket), Dir: s.Lake.Dir.under(d.Lake.Dir),
			Region: s.Lake.Region.under(d.Lake.Region), Codec: s.Lake.Codec.under(d.Lake.Codec),
			FlushSize: s.Lake.FlushSize.under(d.Lake.FlushSize), RotateInterval: s.Lake.RotateInterval.under(d.Lake.RotateInterval),
		},
		Batch: Batch{
			Source: s.Batch.Source.under(d.Batch.Source), Zone: s.Batch.Zone.under(d.Batch.Zone),
			Extra: s.Batch.Extra.under(d.Batch.Extra), Missing: s.Batch.Missing.under(d.Batch.Missing),
			Nulls: s.Batch.Nulls.under(d.Batch.Nulls),
		},
		Stream: Stream{s.Stream.Topic.under(d.Stream.Topic), s.Stream.Registry.under(d.Stream.Registry), s.Stream.Compatibility.under(d.Stream.Compatibility)},
		Speed:  Speed{s.Speed.Key.under(d.Speed.Key), s.Speed.TTL.under(d.Speed.TTL)},
		Trino:  Trino{s.Trino.Catalog.under(d.Trino.Catalog), s.Trino.Schema.under(d.Trino.Schema), s.Trino.Views.under(d.Trino.Views)},
		Lag:    Lag{s.Lag.Streaming.under(d.Lag.Streaming), s.Lag.Batch.under(d.Lag.Batch)},
	}
}
