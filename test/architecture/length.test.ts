import { resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { readSources, type SyntaxNode, visit } from './sources.ts'

const { imports, read } = readSources(resolve(import.meta.dirname, '../../src'))
const files = [...imports.keys()]

/** Contracts and texts are lists; everything else is split by idea before it is this long. */
const maxLinesOf = (file: string) => (/contract|words|guide|llms|schema|variables/.test(file) ? 500 : 300)
/** Longer files that are one thing, with the reason. */
const longFiles: Readonly<Record<string, string>> = {}

const maxFunctionLines = 50
/** Longer functions: none is added, and none grows. */
const longFunctions: Readonly<Record<string, number>> = {
  'app/app.ts startOn': 114,
  // A line for each feature.
  'app/features.ts buildFeatures': Number.POSITIVE_INFINITY,
  'base/work-loop.ts createWorkLoop': 86,
  'config/variables.ts readVariables': 91,
  'features/billing/payments/check-payment.ts createPaymentCheck': 84,
  'features/billing/payments/compare.ts createComparison': 66,
  'features/billing/payments/feature.ts build': 71,
  'features/billing/payments/orders.ts createOrders': 58,
  'features/billing/payments/payments.ts createPayments': 60,
  'features/billing/payments/store/comparisons.ts comparisonTable': 52,
  'features/billing/payments/store/payments.ts paymentTables': 107,
  'features/calls/media/content-files.ts createContentFiles': 61,
  'features/calls/media/media.ts createMedia': 142,
  'features/calls/media/operations.ts mediaOperations': 121,
  'features/calls/media/polling.ts createPollWorker': 65,
  'features/calls/media/providers/http.ts createHttpMedia': 61,
  'features/calls/media/submit.ts createSubmit': 101,
  'features/calls/native/feature.ts build': 98,
  'features/calls/openai/completions.ts createCompletions': 100,
  'features/identity/accounts/feature.ts build': 56,
  'features/identity/accounts/guards.ts createGuards': 80,
  'features/identity/accounts/passwords.ts createHashQueue': 80,
  'features/identity/keys/named-keys.ts createNamedKeys': 96,
  'features/identity/keys/store.ts keyWriter': 78,
  'features/notifications/webhooks/routes.ts webhookRoutes': 54,
  'features/notifications/webhooks/webhooks.ts createWebhooks': 104,
  'features/operators/access/routes.ts operatorSessionRoutes': 58,
  'features/operators/access/store.ts operatorWrites': 65,
  'features/programs/key-api/feature.ts build': 53,
  'features/programs/mcp/call-tool.ts createToolCaller': 66,
  'features/programs/mcp/feature.ts build': 71,
  'features/records/archives/archiver.ts createArchiver': 79,
  'features/records/archives/directory.ts createArchiveDirectory': 67,
  'features/records/reconcile/runs.ts createReconcileRuns': 80,
  'features/records/reports/store.ts createConsoleStore': 81,
  'features/records/transparency/publisher.ts createPublisher': 56,
  'features/records/transparency/receipts/statements.ts createStatements': 89,
  'features/records/transparency/sequencer.ts createSequencer': 68,
  'features/records/transparency/witnessing.ts createWitnessing': 58,
  'http/responder.ts createResponder': 89,
  'http/transport/admission-queue.ts createAdmissionQueue': 73,
  'http/transport/request-head.ts checkHead': 54,
  'http/transport/transport.ts createTransport': 71,
  'ops/doctor/machine.ts checkDataDirectory': 55,
  'ops/metrics.ts scrapedMetrics': 52,
  'ops/tracing.ts startTracing': 64,
  'providers/payments/alipay.ts createAlipay': 137,
  'providers/payments/simulated.ts createSimulated': 110,
  'providers/payments/wechat-keys.ts createPlatformKeys': 59,
  'providers/payments/wechat.ts createWechat': 123,
  'providers/provider-watch.ts createProviderWatch': 62,
  'relay/admit.ts createAdmission': 62,
  'relay/recover.ts createRecovery': 52,
  'relay/relay.ts createRelay': 68,
  'storage/postgres/lease.ts createSharedLease': 57,
  'storage/row-mapper.ts rowMapper': 60,
}

it('no file is longer than its kind may be', () => {
  const long = files.filter((file) => read(file).split('\n').length > maxLinesOf(file))
  expect(long).toEqual(Object.keys(longFiles))
})

it('no function is over 50 lines, but for those listed here, which only shrink', () => {
  const lengths = new Map(files.flatMap((file) => functionsOf(file).filter(([, lines]) => lines > maxFunctionLines)))
  expect(lengths.size).toBeGreaterThan(0)
  expect([...lengths].filter(([name, lines]) => lines > (longFunctions[name] ?? 0))).toEqual([])
  expect(Object.keys(longFunctions).filter((name) => !lengths.has(name))).toEqual([])
})

function functionsOf(file: string): [name: string, lines: number][] {
  const text = read(file)
  const found: [string, number][] = []
  visit(parseSync(file, text).program, (node, parent) => {
    if (!/^(Function|ArrowFunction)/.test(node.type) || !node.body) return
    found.push([`${file} ${nameOf(node, parent)}`, text.slice(node.start, node.end).split('\n').length])
  })
  return found
}

const nameOf = (node: SyntaxNode, parent: SyntaxNode | null): string =>
  node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? 'anonymous'
