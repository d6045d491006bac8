import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { packSdk } from '../../sdk/pack.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface PackedSdk {
  readonly directory: string
  /** The folder of the installed package. */
  readonly home: string
  /** The names of the package's files. */
  readonly files: string[]
  /** All JavaScript of the package, compressed. */
  readonly gzippedBytes: number
  /** Checks programs by their names with `tsc --strict` and turns them into JavaScript, all in one run. */
  compile(programs: Readonly<Record<string, string>>): Promise<void>
  /** Checks files of the directory with further options. */
  check(files: readonly string[], options: readonly string[]): Promise<void>
  /** Runs a file of the directory. */
  node(args: readonly string[], environment?: Record<string, string>): Promise<Ran>
  remove(): Promise<void>
}

/** Installs the SDK into an empty folder, as a stranger would: from the address of a gateway, or from a file. */
export async function installPackedSdk(address?: string): Promise<PackedSdk> {
  const directory = await mkdtemp(join(tmpdir(), 'packed-sdk-'))
  const file = join(directory, 'sdk.tgz')
  if (address === undefined) await writeFile(file, packSdk())
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
  // A cache of its own: a copy of another run would do as well.
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--cache', join(directory, '.npm')]
  await run('npm', ['install', ...quiet, address ?? file], { cwd: directory })
  const home = join(directory, 'node_modules/@api-relay-gateway/sdk')
  const dist = join(home, 'dist')
  const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js')).sort()
  const texts = await Promise.all(scripts.map((name) => readFile(join(dist, name), 'utf8')))
  await mkdir(join(directory, 'node_modules/@types'), { recursive: true })
  await cp(join(root, 'node_modules/@types/node'), join(directory, 'node_modules/@types/node'), { recursive: true })
  await cp(join(root, 'node_modules/undici-types'), join(directory, 'node_modules/undici-types'), { recursive: true })
  const tsc = async (files: readonly string[], options: readonly string[]) => {
    const strict = ['--strict', '--target', 'es2022', '--types', 'node', '--skipLibCheck', 'false']
    await run(process.execPath, [compiler, ...strict, ...options, ...files], { cwd: directory }).catch(
      (error: Ran & Error) => {
        throw new Error(`tsc: ${error.stdout}`)
      },
    )
  }
  return {
    directory,
    home,
    files: (await readdir(dist))
      .map((name) => `dist/${name}`)
      .concat(await readdir(home))
      .filter((name) => name !== 'dist'),
    gzippedBytes: gzipSync(texts.join('')).length,
    async compile(programs) {
      for (const [name, source] of Object.entries(programs)) await writeFile(join(directory, `${name}.ts`), source)
      await tsc(
        Object.keys(programs).map((name) => `${name}.ts`),
        ['--module', 'nodenext'],
      )
    },
    check: (files, options) => tsc(files, ['--noEmit', ...options]),
    node: (args, environment = {}) =>
      run(process.execPath, [...args], {
        cwd: directory,
        env: { PATH: process.env.PATH, ...environment },
        maxBuffer: 64e6,
      }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }: Ran) => ({ code, stdout, stderr }),
      ),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Makes calls through whatever is at BASE_URL, and prints what became of them. */
export const manyCalls = `
import { Gateway, GatewayError, type Responses } from '@api-relay-gateway/sdk'

const { API_KEY: apiKey = '', BASE_URL: baseURL = '', CALLS = '0' } = process.env
const gateway = new Gateway({ apiKey, baseURL, maxRetries: 12, timeoutMs: 20_000 })
const chargeIds: (string | null)[] = []
const failures: string[] = []
let next = 0

async function work(): Promise<void> {
  while (next < Number(CALLS)) {
    const prompt = 'call ' + next++
    try {
      const { data, response } = await gateway.models.chat({ prompt }).withResponse()
      const settled: Responses['model.chat'] = data
      const credits: number = settled.chargedCredits
      if (credits === 3) chargeIds.push(response.headers.get('x-charge-id'))
    } catch (error) {
      failures.push(error instanceof GatewayError ? error.code : String(error))
    }
  }
}

await Promise.all(Array.from({ length: 24 }, work))
console.log(JSON.stringify({ chargeIds, failures }))
`
