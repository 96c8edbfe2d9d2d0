package lake

import (
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// missing makes n rows of a column that the file does not have: the default, or null.
// A delete row has no value.
func (p *Pages) missing(i, n int) (col bridge.Column, lv bridge.Levels) {
	plan := p.plans[i]
	l := plan.leaf
	values := n
	if l.MaxDef > 0 {
		lv.Def = p.ones(l.Levels, n, plan.fill != nil)
		values = 0
		for _, d := range lv.Def {
			values += int(d)
		}
	}
	if l.MaxRep > 0 {
		p.zeros = sized(p.zeros, n)
		fillBytes(p.zeros, 0)
		lv.Rep = p.zeros
	}
	c := &p.fills[i]
	truncate(c)
	if l.Kind == bridge.Bytes {
		c.Offsets(0)
	}
	if plan.fill != nil {
		for range values {
			appendValue(c, l.Kind, plan.fill, 0)
		}
	}
	return *c, lv
}

// ones are the levels of a stream where each live row has a value, or none has.
func (p *Pages) ones(stream, n int, value bool) []uint8 {
	def := sized(p.levels[stream], n)
	p.levels[stream] = def
	fillBytes(def, bridge.BoolCode(value))
	for i, dead := range p.isDead {
		def[i] &^= dead
	}
	return def
}

// keepPromise makes a column obey _deleted: a delete row has a null in all columns but
// its key, and a live row has a value where the spec does not say optional. Files of
// bridgegen obey, so this only compares; another writer's may keep old values in
// delete rows, or know nothing of a column that was added.
func (p *Pages) keepPromise(i int, col *bridge.Column, lv *bridge.Levels) error {
	plan := p.plans[i]
	if !p.obeysDeleted(plan) {
		return nil
	}
	if plan.leaf.MaxRep > 0 {
		return p.checkNested(lv)
	}
	if len(plan.leaf.Path) > 1 || plan.leaf.MaxDef > 1 {
		return p.checkGroup(lv)
	}
	if p.obeys(plan, lv.Def) {
		return nil
	}
	return p.rebuild(i, col, lv)
}

// obeys compares the definition levels, 0 or 1, with the live rows.
func (p *Pages) obeys(plan *leafPlan, def []uint8) bool {
	var surplus, lack uint8
	if p.isDead == nil {
		for _, d := range def {
			lack |= d ^ 1
		}
	} else {
		for k, d := range def {
			surplus |= d & p.isDead[k]
			lack |= (d | p.isDead[k]) ^ 1
		}
	}
	return surplus == 0 && (lack == 0 || !plan.required)
}

func (p *Pages) rebuild(i int, col *bridge.Column, lv *bridge.Levels) error {
	plan := p.plans[i]
	kind := plan.leaf.Kind
	to := &p.repair[i]
	truncate(to)
	def := make([]uint8, len(lv.Def))
	k := 0
	for row, d := range lv.Def {
		dead := p.isDead != nil && p.isDead[row] != 0
		switch {
		case d != 0 && !dead:
			appendValue(to, kind, col, k)
			def[row] = 1
		case d == 0 && !dead && plan.required:
			if plan.fill == nil {
				return errNull(p.row + int64(row))
			}
			appendValue(to, kind, plan.fill, 0)
			plan.filled, def[row] = true, 1
		}
		k += int(d)
	}
	if kind == bridge.Bytes && len(to.Off) == 0 {
		to.Off = append(to.Off, 0)
	}
	*col, lv.Def = *to, def
	return nil
}

// checkNested refuses list elements in a delete row.
func (p *Pages) checkNested(lv *bridge.Levels) error {
	if p.isDead == nil {
		return nil
	}
	row := -1
	for i, r := range lv.Rep {
		if r == 0 {
			row++
		}
		if p.isDead[row] != 0 && lv.Def[i] != 0 {
			return p.errDead(row)
		}
	}
	return nil
}

// checkGroup refuses a group's value in a delete row.
func (p *Pages) checkGroup(lv *bridge.Levels) error {
	for row, dead := range p.isDead {
		if dead != 0 && lv.Def[row] != 0 {
			return p.errDead(row)
		}
	}
	return nil
}

func (p *Pages) errDead(row int) error {
	return contentf("row %d is a delete, but the column has a value there", p.row+int64(row)+1)
}
