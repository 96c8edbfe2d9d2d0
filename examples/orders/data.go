package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/bridgegen/bridgegen/generated/orders"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

const lines = 500 // valid rows of the orders' dump

// brokenOrders are lines that no spec can accept, each for another reason.
var brokenOrders = []string{
	`"items":[]`, `"items":[{"sku":"A","qty":1},null]`, `"ship_to":{"street":"x","country":"mars"}`, `"tags":["a",null]`,
	`"discounts":{"spring":"1234.00"}`, `"amount":"-1.00"`, `"ship_to":{"street":"x","country":"de","city":"Ulm"}`,
}

func idOf(n int) string { return fmt.Sprintf("0190f2a4-0000-7000-8000-%012d", n) }

func keyOf(n int) orders.Key {
	id, _ := bridge.ParseUUID([]byte(idOf(n)))
	return orders.Key{OrderID: id, Line: 1}
}

// dumpOfOrders is the nightly dump, as the shop's database writes it.
func dumpOfOrders(night time.Time) string {
	var b strings.Builder
	for n := 1; n <= lines; n++ {
		fmt.Fprintln(&b, order(n, night, ""))
	}
	for i, member := range brokenOrders {
		fmt.Fprintln(&b, order(lines+1+i, night, member))
	}
	return b.String()
}

// order is one line of the dump; instead replaces the member of its name.
func order(n int, night time.Time, instead string) string {
	at := night.Add(-time.Duration(n) * time.Minute).Format(time.RFC3339)
	members := []string{
		`"order_id":"` + idOf(n) + `"`, `"line":1`, fmt.Sprintf(`"customerId":%d`, 1000+n%7), fmt.Sprintf(`"amount":"%d.50"`, n*3), `"channel":"in-store"`,
		`"coupon":" spring-26 "`, `"title":"  Blue   mug "`, fmt.Sprintf(`"email":" Buyer%d@Example.com"`, n), `"tags":[" Express ","gift"]`,
		`"ship_to":{"street":"Main  St 1","postalCode":"10115","country":"de","geo":{"lat":52.53,"lon":13.38}}`,
		`"items":[{"sku":"mug-1","qty":2,"price":"9.95","serials":[1,2]},{"sku":"mug-2","qty":1}]`, `"discounts":{"spring":"5.00"}`,
		`"weight":0.4`, `"signature":"AQI="`, `"gift":false`, `"ordered_on":"` + at[:10] + `"`, `"ordered_at":"` + at + `"`, `"updated_at":"` + at + `"`, `"order":"first"`,
	}
	name, _, _ := strings.Cut(instead, ":")
	for i, m := range members {
		if instead != "" && strings.HasPrefix(m, name+":") {
			members[i] = instead
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// dumpOfShipments has two scans of one parcel: the greater one wins.
func dumpOfShipments(night time.Time) string {
	ms := func(d time.Duration) int64 { return night.Add(d).UnixMilli() }
	text := func(d time.Duration) string { return night.Add(d).Format(time.RFC3339) }
	return "carrier,parcel,scan,scanned_at,picked_at,due,depot,legs\n" +
		fmt.Sprintf("dhl,p-1,1,%s,%d,,unknown,\"[{\"\"hub\"\":\"\"Ulm\"\"}]\"\n", text(-20*time.Hour), ms(-21*time.Hour)) +
		fmt.Sprintf("dhl, p-1 ,2,%s,%d,%s,unknown,\"[{\"\"hub\"\":\"\"Ulm\"\",\"\"at\"\":\"\"%s\"\"},{\"\"hub\"\":\"\"Bonn\"\"}]\"\n", text(-time.Hour), ms(-21*time.Hour), night.Format(time.DateOnly), text(-2*time.Hour)) +
		fmt.Sprintf("ups,p-2,1,%s,,,Bonn,[]\n", text(2*time.Hour))
}

// changedOrder is the first order of the dump, as it is later.
func changedOrder(at time.Time) orders.Order {
	k := keyOf(1)
	amount, _ := bridge.ParseDecimal([]byte("1500.00"), 12, 2)
	spring, _ := bridge.ParseDecimal([]byte("5.00"), 5, 2)
	return orders.Order{
		OrderID: k.OrderID, Line: k.Line, Customer: 1001, Amount: amount, Channel: orders.ChannelWeb, Title: "Blue mug", Email: "Buyer1@Example.com",
		Tags: []string{"Express", " VIP "}, Attributes: map[string]string{"paid": "card"},
		ShipTo:    bridge.Some(orders.OrderShipTo{Street: "Unter den  Linden 1", Country: orders.OrderShipToCountryDe}),
		Items:     []orders.OrderItems{{Sku: "sku-9", Qty: 3}, {Sku: "mug-2", Qty: 1, Serials: []int64{7}}},
		Discounts: map[string]bridge.Decimal{"spring": spring}, Gift: true,
		OrderedOn: bridge.DateOf(at), OrderedAt: bridge.TimestampOf(at), UpdatedAt: bridge.TimestampOf(at),
	}
}
