import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplesOf } from '../../console/site/reference/samples.ts'
import { packSdk } from '../../sdk/pack.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { type BadProxy, startBadProxy } from '../../testkit/http/bad-proxy.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'
import { runThroughBadNetwork } from '../../testkit/sdk/bad-network.ts'
import { installPackedSdk, manyCalls, type PackedSdk } from '../../testkit/sdk/packed-sdk.ts'
import { httpEngines, migratedDatabase } from '../../testkit/store/engines.ts'

/** The address of the gateway that the package is installed from. */
const served = `http://127.0.0.1:${await freePort()}`
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const billable = publicOperations(providerNames).filter(({ billing }) => billing)
const samples = Object.fromEntries(billable.map((each) => [`sample-${each.id}`, samplesOf(each, origin).sdk]))

const typed = `import { Gateway, type Key, type Requests, type WebhookEvent } from '@api-relay-gateway/sdk'
const gateway = new Gateway({ apiKey: '', baseURL: '' })
export const ask = async (): Promise<string> => (await gateway.models.chat({ prompt: '' })).data.output
export const left = (key: Key): number => key.budget?.remaining ?? key.credits?.available ?? 0
export const seconds: 2 | 4 | 8 | undefined = (await gateway.media.get('')).seconds
export const request: Requests['agent.run'] = {
  tool: 'pick.assist',
  arguments: { operation: 'compare', payload: { itemRefs: [{ provider: 'a', productId: 'b' }] } },
}
export const credited = (event: WebhookEvent): number => (event.type === 'order.credited' ? event.data.credits : 0)
export const finished = (event: WebhookEvent): string => (event.type === 'media.job_finished' ? event.data.jobId : event.id)
// @ts-expect-error events of this type have no credits
export const wrong = (event: WebhookEvent) => event.type === 'key.created' && event.data.credits
// @ts-expect-error the prompt is missing
gateway.models.chat({})
// @ts-expect-error there is no such field
gateway.models.chat({ prompt: '', temperature: 1 })
// @ts-expect-error there is no such order
gateway.shopping.search({ query: '', sort: 'random' })`

let serving: Gateway
let sdk: PackedSdk
/** Of all programs, in one run of the compiler; it fails if one of them has a wrong type. */
let compiled: Promise<void>
beforeAll(async () => {
  const environment = { GATEWAY_ORIGIN: served, GATEWAY_LISTEN: served.replace('http://', '') }
  serving = await startGateway({ environment })
  sdk = await installPackedSdk(`${served}/sdk.tgz`)
  compiled = sdk.compile({ 'many-calls': manyCalls, typed, ...samples })
  compiled.catch(() => {})
})
afterAll(async () => {
  await serving.stop()
  await sdk.remove()
})

describe('the package', () => {
  it('the package is what npm pack makes, and the same bytes in every build', async () => {
    const root = join(import.meta.dirname, '../../sdk')
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--dry-run', '--offline'], { cwd: root })
    const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
    const paths = files.map(({ path }: { path: string }) => path)
    expect([...sdk.files].sort()).toEqual([...paths].sort())
    for (const path of paths)
      expect(await readFile(join(sdk.home, path)), path).toEqual(await readFile(join(root, path)))
    const response = await fetch(`${served}/sdk.tgz`)
    expect(packSdk().equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  it('the package is small, needs nothing else, and runs in browsers', async () => {
    expect(sdk.gzippedBytes).toBeLessThan(15_360)
    expect(sdk.files.filter((path) => !path.startsWith('dist/')).sort()).toEqual(['README.md', 'package.json'])
    const about = JSON.parse(await readFile(join(sdk.home, 'package.json'), 'utf8'))
    expect(about).not.toHaveProperty('dependencies')
    const shell = ['dist/cli.js', 'dist/verify-command.js']
    for (const path of sdk.files.filter((name) => name.endsWith('.js') && !shell.includes(name)))
      expect(await readFile(join(sdk.home, path), 'utf8'), path).not.toMatch(/node:|\bprocess\.|\bBuffer\b/)
    for (const path of sdk.files.filter((name) => name.endsWith('.d.ts')))
      expect(await readFile(join(sdk.home, path), 'utf8'), path).not.toMatch(/typebox|\.\.\//)
  })

  it('the package has the types of the contract', async () => {
    await compiled
  })

  it('the package has them for moduleResolution node10 too', async () => {
    // TypeScript 7 has no node10 any more; without exports it resolves packages in the same way, by main and types.
    const likeNode10 = ['--module', 'esnext', '--moduleResolution', 'bundler', '--resolvePackageJsonExports', 'false']
    await sdk.check(['typed.ts'], likeNode10)
  })

  it('the package runs the samples of the docs page', async () => {
    const database = await migratedDatabase('sqlite')
    const elsewhere = await startGateway({ database })
    const { apiKey } = await PayingCustomer.join(elsewhere)
    await elsewhere.stop()
    const environment = { GATEWAY_ORIGIN: origin, GATEWAY_LISTEN: `127.0.0.1:${port}` }
    const gateway = await startGateway({ database, environment })
    await compiled
    const run = async (id: string) => {
      const { stdout, stderr } = await sdk.node([`sample-${id}.js`], { GATEWAY_API_KEY: apiKey })
      expect(stderr).toBe('')
      expect(stdout).toContain(`operation: '${id}'`)
    }
    // The others read what a search returned.
    await run('pick.search')
    await Promise.all(billable.filter(({ id }) => id !== 'pick.search').map(({ id }) => run(id)))
    await gateway.stop()
    await database.remove()
  })

  it.each(httpEngines)('the package charges every call once through a bad network, on %s', async (engine) => {
    const database = await migratedDatabase(engine)
    await compiled
    const counts = await runThroughBadNetwork(sdk, database, 120)
    await database.remove()
    for (const [mishap, count] of Object.entries(counts)) expect(count, mishap).toBeGreaterThan(5)
  })
})

describe('the shell command', () => {
  let gateway: Gateway
  let proxy: BadProxy
  let customer: PayingCustomer
  beforeAll(async () => {
    gateway = await startGateway()
    proxy = await startBadProxy(gateway.app.public.port)
    customer = await PayingCustomer.join(gateway)
  })
  afterAll(async () => {
    await proxy.close()
    await gateway.stop()
  })
  const shell = (args: string[], environment: Record<string, string> = {}) =>
    sdk.node(['node_modules/.bin/gateway-sdk', ...args], {
      GATEWAY_BASE_URL: proxy.url,
      GATEWAY_API_KEY: customer.apiKey,
      ...environment,
    })

  it('the shell command prints one JSON object', async () => {
    const { headers } = await customer.call('model.chat', { prompt: 'x' })
    const whoami = await shell(['whoami'])
    expect(whoami.code).toBe(0)
    const key = JSON.parse(whoami.stdout)
    expect(key).toMatchObject({ state: 'active', credits: await customer.credits() })
    expect(JSON.parse((await shell(['balance'])).stdout)).toEqual({ credits: key.credits, budget: key.budget })
    expect(JSON.parse((await shell(['charge', String(headers['x-charge-id'])])).stdout)).toMatchObject({
      state: 'settled',
    })
  })

  it('the shell command says what is wrong, and never prints the key', async () => {
    const unknown = await shell(['charge', 'chg_unknown'])
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(/^CHARGE_NOT_FOUND: .+\n$/)
    const wrong = await shell(['whoami'], { GATEWAY_API_KEY: 'gk_live_secret' })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/^UNAUTHORIZED: /)
    expect(wrong.stderr).not.toContain('gk_live_secret')
    for (const args of [[], ['whoami', 'x'], ['charge'], ['nonsense']]) expect((await shell(args)).code).toBe(2)
    expect((await shell(['whoami'], { GATEWAY_API_KEY: '' })).code).toBe(2)
  })
})
