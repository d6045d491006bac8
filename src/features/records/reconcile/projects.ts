import type { Replay } from '../../../ledger/replay.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { ProjectClosing } from '../archives/store.ts'
import type { Difference, Range, Read, ReconcileContext } from './differences.ts'
import { type Ledgers, replayAhead, replayRest } from './ledgers.ts'
import { lastOrderId, type OrderWithLots, orderPage } from './rows/entries.ts'
import { nextRangeEnd, type ProjectSums, projectDifferences, projectPage } from './rows/projects.ts'

/** I1, I3, I6, I8 and I9: compares the balance and the budgets of each project with its lots, charges and ledger. */
export async function reconcileProjects(read: Read, context: ReconcileContext): Promise<void> {
  let after = ''
  for (;;) {
    const until = await read((tx) => nextRangeEnd(tx, after, context.replaysAtOnce))
    if (until === undefined) return
    const range = { after, until }
    const ledgers = await replayAhead(read, range, context)
    while (after < until) after = await read((tx) => checkProjects(tx, { after, until }, { ...context, ledgers }))
  }
}

/** Their charges are added up in one transaction, which must stay short. */
const projectsAtOnce = 100

/** Checks the first projects of a range, on one snapshot. Returns the last of them. */
async function checkProjects(
  tx: Reader,
  { after, until }: Range,
  { ledgers, ...context }: ReconcileContext & { ledgers: Ledgers },
): Promise<string> {
  const { pageRows, count, differences } = context
  const page = await projectPage(tx, { after, until }, Math.min(pageRows, projectsAtOnce))
  const part = { after, until: page.at(-1)!.projectId }
  for (const sums of page) differences.add(checkBalance(sums, await replayRest(tx, sums, ledgers, context)))
  differences.add(await projectDifferences(tx, part, pageRows))
  count('projects', page.length)
  return part.until
}

function checkBalance(sums: ProjectSums, replay: Replay): Difference[] {
  const { projectId, balance, held, usage, granted, withdrawn, closing } = sums
  const at = 'balance'
  if (!balance) return [{ invariant: 'I1', projectId, at, what: 'the project has no balance', expected: 1, found: 0 }]
  const { available, reserved } = balance
  const lots = sums.lots - withdrawn
  const settled = sums.settled + (closing?.settled ?? 0)
  const facts: Fact[] = [
    ['I1', 'available, reserved and settled against the credit lots', lots, available + reserved + balance.settled],
    ['I1', 'credited against the credit lots', lots, balance.credited],
    ['I1', 'reserved against the charges that are reserved or in review', held, reserved],
    ['I1', 'settled against the settled charges', settled, balance.settled],
    ['I1', 'usage by day against the settled charges', settled, usage],
    ['I6', 'number of entries', replay.seq, balance.entries],
    ['I6', 'last entry of the chain', replay.entryId ?? 'none', balance.lastEntryId ?? 'none'],
    ['I6', 'available against the replayed ledger', replay.available, available],
    ['I6', 'reserved against the replayed ledger', replay.reserved, reserved],
    ['I6', 'settled against the replayed ledger', replay.settled, balance.settled],
    ['I6', 'credited against the replayed ledger', replay.credited, balance.credited],
    ['I6', 'grants in the ledger against those with a reference', granted, replay.granted],
    ['I6', 'withdrawals in the ledger against those with a reference', withdrawn, replay.withdrawn],
    ...(closing ? closingFacts(sums, closing) : []),
  ]
  const below = [available, reserved].filter((credits) => credits < 0)
  return [
    ...below.map((found): Difference => ({ invariant: 'I1', projectId, at, what: 'below zero', expected: 0, found })),
    ...facts
      .filter(([, , expected, found]) => expected !== found)
      .map(([invariant, what, expected, found]): Difference => ({ invariant, projectId, at, what, expected, found })),
  ]
}

type Fact = [Difference['invariant'], string, number | string, number | string]

/** Lots whose entries were archived are still in the store. */
const closingFacts = ({ unentered }: ProjectSums, { lots, credited, withdrawn }: ProjectClosing): Fact[] => [
  ['I6', 'lots without an entry against the closing balance', lots, unentered.lots],
  ['I6', 'credits of lots without an entry against the closing balance', credited + withdrawn, unentered.credits],
]

/** I5: a credited order has exactly one lot, with its project and amount; any other order has none. */
export async function reconcileOrders(read: Read, { pageRows, count, differences }: ReconcileContext): Promise<void> {
  const until = (await read(lastOrderId)) ?? ''
  let after = ''
  for (;;) {
    const page = await read((tx) => orderPage(tx, { after, until }, pageRows))
    const last = page.at(-1)
    if (!last) return
    for (const order of page) differences.add(checkOrder(order))
    count('orders', page.length)
    after = last.orderId
  }
}

export function checkOrder(order: OrderWithLots): Difference[] {
  const { projectId, orderId } = order
  const isCredited = order.state === 'credited'
  const facts: [string, number, number][] = [
    [`lots of an order that is ${order.state}`, isCredited ? 1 : 0, order.lots],
    ['credits of its lot', order.lots === 1 ? order.creditAmount : order.lotAmount, order.lotAmount],
    ['lots in another project', 0, order.strays],
  ]
  return facts
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({ invariant: 'I5', projectId, at: orderId, what, expected, found }))
}
