import { type Command, InvalidArgumentError, Option } from 'commander'
import { buildAdministration } from '../app/administration.ts'
import { dayOf, dayText } from '../base/time.ts'
import { ConfigFault } from '../config/config.ts'
import { createPaymentCheck } from '../features/billing/payments/check-payment.ts'
import { createComparison } from '../features/billing/payments/compare.ts'
import { paymentStates } from '../features/billing/payments/contract.ts'
import { shownDifference } from '../features/billing/payments/differences.ts'
import type { RefundEnd } from '../features/billing/payments/operator/refund-decisions.ts'
import { shownPayment } from '../features/billing/payments/payments.ts'
import { createRefunder, shownRefund, shownRefundState } from '../features/billing/payments/refunds.ts'
import { createSimulatedRecords } from '../features/billing/payments/simulated/records.ts'
import { createPaymentStore } from '../features/billing/payments/store/store.ts'
import { createLedger } from '../ledger/ledger.ts'
import { type Actor, referenceLimit } from '../operator-kit/actor.ts'
import { createPaymentProviders } from '../providers/payments/choose.ts'
import { PaymentFault } from '../providers/payments/payment-provider.ts'
import { createSimulated } from '../providers/payments/simulated.ts'
import { createBatchStore } from '../storage/batch-store.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import { addActionOptions, addListOptions, type CommandLine, type ListOptions, noteMore, onAction } from './acting.ts'
import { CommandFailure, singleLine, userName, wholeNumber } from './terminal.ts'

export function addPayments(program: Command, line: CommandLine): void {
  const payments = program.command('payments').description('list payments, compare them with the bills, refund them')
  addPaymentList(payments, line)
  addPaymentShow(payments, line)
  addCompare(payments, line)
  addSettle(payments, line)
  addRefund(payments, line)
  addRefundEnd(payments, line, 'refund-done', 'refunded', 'end a refund in review: the provider paid the money back')
  addRefundEnd(
    payments,
    line,
    'refund-failed',
    'returned',
    'end a refund in review: the provider did not; give the credits back',
  )
}

/** What the commands need of the providers. A running gateway is not disturbed: the ledger decides in the store. */
function toolsOn(engine: OpenedEngine, { config, clock }: CommandLine) {
  const { payments: schedule, credential, origin } = config()
  const fault = (key: string, what: string, remedy: string) => new ConfigFault(key, what, remedy)
  const providers = createPaymentProviders(schedule, { credential, fault }, { origin: origin.origin, clock })
  if (schedule.simulated) {
    const pageOf = (tradeId: string) => `${origin.origin}/simulated-pay/${tradeId}`
    providers.set('simulated', createSimulated({ records: createSimulatedRecords(engine), clock, pageOf }).provider)
  }
  const store = createPaymentStore(engine)
  const ledger = createLedger({ store: createBatchStore(engine) })
  const checkPayment = createPaymentCheck({ store, ledger, providers, schedule, clock })
  return {
    store,
    providers,
    compare: createComparison({ store, providers, checkPayment, clock }),
    proceed: createRefunder({ store, providers, ledger, schedule, clock }),
    stop: () => Promise.all([...providers.values()].map((provider) => provider.stop?.())),
  }
}

const withTools = <T>(
  line: CommandLine,
  work: (tools: ReturnType<typeof toolsOn>, engine: OpenedEngine) => Promise<T>,
) =>
  line.withStore(async (engine) => {
    const tools = toolsOn(engine, line)
    try {
      return await work(tools, engine)
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      throw new CommandFailure(error.message)
    } finally {
      await tools.stop()
    }
  })

function addPaymentList(payments: Command, line: CommandLine): void {
  const { terminal } = line
  const command = payments
    .command('list')
    .description('list them, newest first')
    .addOption(new Option('--state <state>', 'which').choices(paymentStates))
    .option('--refunds-in-review', 'only those with a refund that an operator has to end')
  addListOptions(command, 50, 'paymentId', 'payment').action(
    async ({ state = null, refundsInReview: hasReview = false, limit, after = null, json }: PaymentListOptions) => {
      const found = await withTools(line, ({ store }) =>
        store.payments.list({ state, hasReview, after, limit: limit + 1 }),
      )
      const items = found.slice(0, limit).map(shownPayment)
      const nextAfter = found.length > limit ? items.at(-1)!.paymentId : null
      if (json) return terminal.printJson({ items, nextAfter })
      await terminal.printTable(
        ['payment', 'project', 'method', 'fen', 'state', 'created'],
        items.map((row) => [row.paymentId, row.projectId, row.method, row.amountFen, row.state, row.createdAt]),
        'No payments found.\n',
      )
      noteMore(terminal, nextAfter)
    },
  )
}

interface PaymentListOptions extends Omit<ListOptions, 'after'> {
  readonly after?: string | null
  readonly state?: (typeof paymentStates)[number] | null
  readonly refundsInReview?: boolean
}

function addPaymentShow(payments: Command, line: CommandLine): void {
  payments
    .command('show <paymentId>')
    .description('show a payment and its refunds')
    .option('--json', 'print JSON')
    .action(async (paymentId: string, { json }: { json?: true }) => {
      const shown = await withTools(line, async ({ store }) => {
        const row = await store.payments.find(paymentId)
        return row && { ...shownPayment(row), refunds: (await store.refunds.ofPayment(paymentId)).map(shownRefund) }
      })
      if (!shown) throw new CommandFailure(`There is no payment ${paymentId}.`)
      if (json) return line.terminal.printJson(shown)
      const facts = Object.entries(shown).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      await line.terminal.print(`${facts.join('\n')}\n`)
    })
}

function addCompare(payments: Command, line: CommandLine): void {
  const { terminal, clock } = line
  payments
    .command('compare')
    .description('compare a day (Beijing time) with the bills of the providers; exit code 1 if anything differs')
    .requiredOption('--date <day>', 'such as 2026-09-03', day)
    .option('--method <method>', 'only this one')
    .option('--json', 'print JSON')
    .action(async ({ date, method, json }: { date: string; method?: string; json?: true }) => {
      if (date > dayText(dayOf(clock()))) throw new CommandFailure(`${date} is in the future.`)
      const compared = await withTools(line, async ({ providers, compare }) => {
        const wanted = method === undefined ? [...providers.keys()] : [method]
        if (method !== undefined && !providers.has(method)) throw new CommandFailure(`${method} is not configured.`)
        const done = []
        for (const name of wanted) done.push(await compare(date, name))
        return done
      })
      if (compared.some(({ differences }) => differences.some(({ settled }) => !settled))) terminal.finish(1)
      const methods = compared.map(({ differences, ...row }) => ({
        ...row,
        differences: differences.map(shownDifference),
      }))
      if (json) return terminal.printJson({ date, methods })
      const rows = methods.flatMap(({ method, differences }) =>
        differences.map((row) => [
          ...[method, row.kind, row.paymentId ?? '', row.transactionId ?? ''],
          ...[row.amountFenHere ?? '', row.amountFenThere ?? '', row.outcome, row.differenceId],
        ]),
      )
      const names = ['method', 'difference', 'payment', 'transaction', 'fen here', 'fen there', 'outcome', 'id']
      await terminal.printTable(names, rows, 'No differences.\n')
    })
}

function addSettle(payments: Command, line: CommandLine): void {
  const command = payments
    .command('settle <differenceId>')
    .description('mark a difference of a comparison as settled; it counts no longer')
    .requiredOption('--date <day>', 'of the comparison', day)
    .requiredOption('--method <method>', 'of the comparison')
  onAction<{ reason: string; date: string; method: string }>(
    addActionOptions(command),
    line,
    async (operate, { actor, reason, date, method }, differenceId) => {
      const settled = await operate.settleDifference(actor, { date, method, differenceId: differenceId!, reason })
      const difference = shownDifference(settled.difference)
      const { openDifferences: openCount } = settled
      return {
        json: { date, method, difference, openCount },
        text: `${differenceId} is settled; ${openCount} of ${date} and ${method} are still open.\n`,
      }
    },
  )
}

function day(value: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value)
  if (!isDay) throw new InvalidArgumentError('Enter a day such as 2026-09-03.')
  return value
}

function addRefund(payments: Command, line: CommandLine): void {
  const { terminal, config, clock } = line
  const command = payments.command('refund <paymentId> <amountFen>').description('refund a payment, in part or in full')
  addActionOptions(command)
    .requiredOption(
      '--reference <text>',
      'such as the number of a ticket; used once per payment',
      singleLine('a reference', referenceLimit),
    )
    .action(async (paymentId: string, amount: string, given: RefundOptions) => {
      const { reference, reason, by = userName(), json } = given
      const amountFen = wholeNumber(1, Number.MAX_SAFE_INTEGER)(amount)
      const actor: Actor = { name: by, via: 'command line' }
      const { refund, replayed, approvalId } = await withTools(line, async ({ store, proceed }, engine) => {
        const operate = buildAdministration(engine, config(), clock)
        const requested = await operate.refundPayment(actor, { paymentId, amountFen, reference, reason })
        const held = (await store.refunds.find(requested.refundId))!
        if (held.state === 'held') await proceed(held)
        return { ...requested, refund: (await store.refunds.find(requested.refundId))! }
      })
      const { refundId, credits } = refund
      const state = shownRefundState(refund.state)
      if (state !== 'refunded' && state !== 'pending') terminal.finish(1)
      const shown = { refundId, paymentId, amountFen, credits, reference, state, replayed }
      if (json) return terminal.printJson(shown)
      const next = approvalId === null ? '' : ` A second operator must approve this: approvals approve ${approvalId}`
      await terminal.print(`${refundId} of ${paymentId} is ${state}: ${amountFen} fen, ${credits} credits.${next}\n`)
    })
}

function addRefundEnd(payments: Command, line: CommandLine, name: string, to: RefundEnd, description: string): void {
  onAction(
    addActionOptions(payments.command(`${name} <refundId>`).description(description)),
    line,
    async (operate, { actor, reason }, refundId) => {
      const { refund, approvalId } = await operate.decideRefund(actor, { refundId: refundId!, to, reason })
      const { paymentId, amountFen, credits, reference, state } = refund
      const json = { refundId, paymentId, amountFen, credits, reference, state, approvalId }
      if (approvalId !== null)
        return { json, text: `A second operator has to approve this: approvals approve ${approvalId}\n` }
      return { json, text: `${refundId} of ${paymentId} is ${state}: ${amountFen} fen, ${credits} credits.\n` }
    },
  )
}

interface RefundOptions {
  readonly reference: string
  readonly reason: string
  readonly by?: string
  readonly json?: true
}
