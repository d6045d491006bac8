import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { homeSamples } from '../../console/site/home/home-page.ts'
import { homeWords } from '../../console/site/home/words.ts'
import { type SampleLanguage, samplesOf } from '../../console/site/reference/samples.ts'
import { loadConfig } from '../../src/config/config.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { serviceFacts } from '../../src/documents/facts.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'
import { type Database, migratedDatabase } from '../../testkit/store/engines.ts'

const run = promisify(execFile)
const operations = publicOperations(providerNames)
const billable = operations.filter(({ billing }) => billing)
// The others read what a search returned.
const searchFirst = billable.toSorted((a, b) => Number(b.id === 'pick.search') - Number(a.id === 'pick.search'))

describe('the samples of the docs page', () => {
  let database: Database
  let gateway: Gateway
  let origin: string
  let apiKey: string
  beforeAll(async () => {
    database = await migratedDatabase('sqlite')
    const elsewhere = await startGateway({ database })
    apiKey = (await PayingCustomer.join(elsewhere)).apiKey
    await elsewhere.stop()
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    gateway = await startGateway({
      database,
      environment: { GATEWAY_ORIGIN: origin, GATEWAY_LISTEN: `127.0.0.1:${port}` },
    })
  })
  afterAll(async () => {
    await gateway?.stop()
    await database?.remove()
  })

  async function outputOf(id: string, language: SampleLanguage): Promise<string> {
    const sample = samplesOf(operations.find((operation) => operation.id === id)!, origin)[language]
    const [program, ...args] =
      language === 'curl' ? ['bash', '-c', sample] : [process.execPath, '--input-type=module', '-e', sample]
    const { stdout } = await run(program!, args, { env: { PATH: process.env.PATH, GATEWAY_API_KEY: apiKey } })
    return stdout
  }

  test.each(searchFirst.map(({ id }) => id))('the curl sample of %s is charged as printed', async (id) => {
    expect(JSON.parse(await outputOf(id, 'curl'))).toMatchObject({ status: 'settled', operation: id })
  })

  test.each(['model.chat', 'agent.run'])('the JavaScript sample of %s is charged as printed', async (id) => {
    expect(await outputOf(id, 'javascript')).toMatch(new RegExp(`^200 \\{\\s+status: 'settled',\\s+operation: '${id}'`))
  })

  test('the three samples of the home page run as they stand', async () => {
    const facts = { ...serviceFacts(loadConfig({})), origin }
    const samples = homeSamples({ operations, facts, words: homeWords.en })
    expect(Object.keys(samples)).toEqual(['curl', 'Node.js', 'OpenAI'])
    const environment = { env: { PATH: process.env.PATH, GATEWAY_API_KEY: apiKey }, cwd: import.meta.dirname }
    const { stdout } = await run('bash', ['-c', samples.curl!], environment)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'settled', operation: 'model.chat' })
    const node = await run(process.execPath, ['--input-type=module', '-e', samples['Node.js']!], environment)
    expect(node.stdout).toMatch(/^200 \{\s+status: 'settled'/)
    const openai = await run(process.execPath, ['--input-type=module', '-e', samples.OpenAI!], environment)
    expect(openai.stdout.trim()).not.toBe('')
    expect(openai.stderr).toBe('')
  })

  test('a sample without a body or a key runs too', async () => {
    expect(JSON.parse(await outputOf('pricing.get', 'curl')).currency).toBe('CNY')
    expect(await outputOf('docs.llms', 'javascript')).toMatch(/^200 # API Relay Gateway/)
  })

  test('the samples of every operation send everything that it asks for', () =>
    eachRow(
      operations,
      ({ id }) => id,
      (operation) => {
        const { sdk, ...samples } = samplesOf(operation, origin)
        expect(sdk).not.toMatch(/undefined|\{\w+\}\/|<\w+>/)
        for (const sample of Object.values(samples)) {
          expect(sample).not.toMatch(/undefined|\{\w+\}\/|<\w+>/)
          if (operation.access === 'session-write') expect(sample).toMatch(/Origin[\s\S]*X-CSRF-Token/)
          if (operation.takesIdempotencyKey) expect(sample).toContain('Idempotency-Key')
        }
      },
    ))
})
