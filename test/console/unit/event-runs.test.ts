import { expect, test } from 'vitest'
import type { GatewayEvent } from '../../../console/src/api/types.ts'
import { runsOf, unreadOf, withoutRepeats } from '../../../console/src/pages/events/runs.ts'

const event = (type: string, orderId: string) =>
  ({ id: `${type} ${orderId}`, type, data: { orderId } }) as unknown as GatewayEvent

const events = [
  event('payment.credited_late', 'ord_late'),
  event('order.credited', 'ord_late'),
  event('order.credited', 'ord_in_time'),
]

test('a late payment has one notice, and other recharges keep theirs', () => {
  expect(withoutRepeats(events).map(({ id }) => id)).toEqual([
    'payment.credited_late ord_late',
    'order.credited ord_in_time',
  ])
  expect(runsOf(events).map(({ count }) => count)).toEqual([1, 1])
})

test('a list of recharges alone shows every one', () => {
  expect(withoutRepeats(events.slice(1))).toHaveLength(2)
})

test('the badge counts a late payment once', () => {
  expect(unreadOf({ items: events, unread: 3 })).toBe(2)
  expect(unreadOf({ items: events, unread: 1 })).toBe(1)
  expect(unreadOf({ items: events, unread: 0 })).toBe(0)
  expect(unreadOf({ items: events, unread: 100 })).toBe(99)
})
