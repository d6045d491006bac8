import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { requireKind } from '../kind.ts'

const root = resolve(import.meta.dirname, '../..')
/** What types, lint and unit tests read. */
const copied = [
  ...['src', 'test', 'testkit', 'bench', 'build', 'console', 'sdk', 'docs'],
  ...['package.json', 'tsconfig.json', 'biome.json', 'vitest.config.ts', '.gitignore'],
]
const isLeftOut = new Set(['node_modules', 'dist', 'results'])

export interface ScratchCopy {
  readonly folder: string
  /** Runs a program of `node_modules/.bin` there; rejects with what it printed if it fails. */
  run(command: string, ...options: readonly string[]): Promise<void>
  remove(): void
}

/** A copy of the project to change and to test, with links to the installed packages. */
export function createScratchCopy(environment: Readonly<Record<string, string>>): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-scratch-'))
  for (const name of copied) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (source) => !isLeftOut.has(basename(source)),
    })
  }
  // Each package is a link, the folder is not: caches of the copy must not end up among ours.
  for (const packages of ['node_modules', 'console/node_modules']) linkPackages(packages, folder)
  const PATH = [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const env = { ...process.env, ...environment, PATH, NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/gateway') }
  return {
    folder,
    async run(command, ...options) {
      requireKind('process', 'A program in a scratch copy')
      const child = spawn(command, options, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
      if ((await exited) !== 0) throw new Error(`${command} ${options.join(' ')} failed:\n${output}${errors}`)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function linkPackages(packages: string, folder: string): void {
  const installed = join(root, packages)
  if (!existsSync(installed)) return
  mkdirSync(join(folder, packages, '.cache'), { recursive: true })
  for (const name of readdirSync(installed).filter((name) => name !== '.cache')) {
    symlinkSync(join(installed, name), join(folder, packages, name))
  }
}
