package bridge

// The functions below read a scalar of a nested column, named by type.

func readJSON[T any](c *JSONCursor, form int, read func(*Text, *T), dst *T) {
	if c.scalar(form) {
		read(c.text, dst)
		c.judge()
	}
}

func (c *JSONCursor) Bool(dst *bool)           { readJSON(c, formBoolean, (*Text).Bool, dst) }
func (c *JSONCursor) Int(dst *int32)           { readJSON(c, formInt, (*Text).Int, dst) }
func (c *JSONCursor) Long(dst *int64)          { readJSON(c, formLong, (*Text).Long, dst) }
func (c *JSONCursor) Float(dst *float32)       { readJSON(c, formFloat, (*Text).Float, dst) }
func (c *JSONCursor) Double(dst *float64)      { readJSON(c, formDouble, (*Text).Double, dst) }
func (c *JSONCursor) String(dst *string)       { readJSON(c, formString, (*Text).String, dst) }
func (c *JSONCursor) Bytes(dst *[]byte)        { readJSON(c, formBytes, (*Text).Bytes, dst) }
func (c *JSONCursor) Date(dst *Date)           { readJSON(c, formDate, (*Text).Date, dst) }
func (c *JSONCursor) Timestamp(dst *Timestamp) { readJSON(c, formTimestamp, (*Text).Timestamp, dst) }
func (c *JSONCursor) UUID(dst *UUID)           { readJSON(c, formUUID, (*Text).UUID, dst) }

func (c *JSONCursor) Decimal(dst *Decimal, precision, scale int) {
	if c.scalar(formDecimal) {
		c.text.Decimal(dst, precision, scale)
		c.judge()
	}
}

func (c *JSONCursor) Enum(dst *string, e *EnumText) {
	if c.scalar(formEnum) {
		c.text.Enum(dst, e)
		c.judge()
	}
}
