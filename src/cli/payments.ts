import { type Command, Option } from 'commander'
import { dayOf, dayText } from '../base/time.ts'
import { paymentStates } from '../features/billing/payments/contract.ts'
import { type MethodComparison, shownDifference } from '../features/billing/payments/differences.ts'
import { operatedPayments, shownPayment } from '../features/billing/payments/payments.ts'
import { shownRefund } from '../features/billing/payments/refunds.ts'
import { createPaymentStore } from '../features/billing/payments/store/store.ts'
import { commandTools, type PaymentTools } from '../features/billing/payments/tools.ts'
import { PaymentFault } from '../providers/payments/payment-provider.ts'
import { addListOptions, type CommandLine, contextOn, type ListOptions, noteMore } from './acting.ts'
import { CommandFailure, parseDay } from './terminal.ts'

export function addPayments(program: Command, line: CommandLine): void {
  const payments = program.command('payments').description('list payments, compare them with the bills, refund them')
  addPaymentList(payments, line)
  addPaymentShow(payments, line)
  addCompare(payments, line)
}

function addPaymentList(payments: Command, line: CommandLine): void {
  const { terminal } = line
  const command = payments
    .command('list')
    .description('list them, newest first')
    .addOption(new Option('--state <state>', 'which').choices(paymentStates))
    .option('--refunds-in-review', 'only those with a refund that an operator has to end')
  addListOptions(command, 50, 'paymentId', 'payment').action(
    async ({ state = null, refundsInReview: hasReview = false, limit, after = null, json }: PaymentListOptions) => {
      const found = await line.withStore((engine) =>
        createPaymentStore(engine).payments.list({ state, hasReview, after, limit: limit + 1 }),
      )
      const items = found.slice(0, limit).map(shownPayment)
      const nextAfter = found.length > limit ? items.at(-1)!.paymentId : null
      if (json) return terminal.printJson({ items, nextAfter })
      await terminal.printTable(
        ['payment', 'project', 'method', 'order fen', 'paid fen', 'state', 'created'],
        items.map(({ paymentId, projectId, method, orderFen, paidFen, state, createdAt }) => [
          paymentId,
          projectId,
          method,
          orderFen,
          paidFen ?? '',
          state,
          createdAt,
        ]),
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
      const shown = await line.withStore(async (engine) => {
        const store = createPaymentStore(engine)
        const row = await store.payments.find(paymentId)
        if (!row) return undefined
        const [shown] = await operatedPayments(store, [row])
        return { ...shown, refunds: (await store.refunds.ofPayment(paymentId)).map(shownRefund) }
      })
      if (!shown) throw new CommandFailure(`There is no payment ${paymentId}.`)
      if (json) return line.terminal.printJson(shown)
      const facts = Object.entries(shown).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      await line.terminal.print(`${facts.join('\n')}\n`)
    })
}

const withTools = <T>(line: CommandLine, work: (tools: PaymentTools) => Promise<T>) =>
  line.withStore(async (engine) => {
    const tools = commandTools(contextOn(line, engine))
    return work(tools).finally(tools.close)
  })

/** Not 1, which means that something differs, nor 2, which is for wrong arguments. */
const billUnavailable = 3

interface ComparedDay {
  readonly compared: MethodComparison[]
  readonly unavailable: { readonly method: string; readonly reason: string }[]
}

/** A bill that cannot be read does not keep the others from being compared. */
async function compareDay({ compare }: PaymentTools, date: string, methods: readonly string[]): Promise<ComparedDay> {
  const day: ComparedDay = { compared: [], unavailable: [] }
  for (const method of methods) {
    try {
      day.compared.push(await compare(date, method))
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      day.unavailable.push({ method, reason: error.message })
    }
  }
  return day
}

function exitCodeOf({ compared, unavailable }: ComparedDay): 0 | 1 | 3 {
  if (unavailable.length > 0) return billUnavailable
  return compared.some(({ differences }) => differences.some(({ settled }) => !settled)) ? 1 : 0
}

function addCompare(payments: Command, line: CommandLine): void {
  const { terminal, clock } = line
  payments
    .command('compare')
    .description(
      'compare a day (Beijing time) with the bills of the providers; exit code 1 if anything differs, 3 if a bill cannot be read',
    )
    .requiredOption('--date <day>', 'such as 2026-09-03', parseDay)
    .option('--method <method>', 'only this one')
    .option('--json', 'print JSON')
    .action(async ({ date, method, json }: { date: string; method?: string; json?: true }) => {
      if (date > dayText(dayOf(clock()))) throw new CommandFailure(`${date} is in the future.`)
      const day = await withTools(line, async (tools) => {
        const { providers } = tools
        if (method !== undefined && !providers.has(method)) throw new CommandFailure(`${method} is not configured.`)
        return compareDay(tools, date, method === undefined ? [...providers.keys()] : [method])
      })
      const exitCode = exitCodeOf(day)
      if (exitCode !== 0) terminal.finish(exitCode)
      const { unavailable } = day
      const methods = day.compared.map(({ differences, ...row }) => ({
        ...row,
        differences: differences.map(shownDifference),
      }))
      if (json) return terminal.printJson({ date, methods, unavailable })
      const rows = methods.flatMap(({ method, differences }) =>
        differences.map((row) => [
          ...[method, row.kind, row.paymentId ?? '', row.transactionId ?? ''],
          ...[row.amountFenHere ?? '', row.amountFenThere ?? '', row.outcome, row.differenceId],
        ]),
      )
      const names = ['method', 'difference', 'payment', 'transaction', 'fen here', 'fen there', 'outcome', 'id']
      if (methods.length > 0) await terminal.printTable(names, rows, 'No differences.\n')
      for (const one of unavailable) terminal.note(`The bill of ${one.method} cannot be read: ${one.reason}.`)
    })
}
