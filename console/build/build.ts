import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { readStamp, stampOf } from './inputs.ts'
import { packFiles } from './pack-files.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const inputs = [
  'index.html',
  'operator.html',
  'package.json',
  'vite.config.ts',
  'build/**/*.ts',
  'src/**/*.*',
  '../src/{base,contract,features}/**/*.ts',
  '../package-lock.json',
]

/** Builds both consoles into `dist` when anything it is made from has changed; otherwise does nothing, at once. */
async function main(): Promise<void> {
  const stamp = stampOf(root, inputs)
  if (readStamp(dist) === stamp) return
  if (!hasVite()) {
    console.warn('console: not built, because its build tools are not installed (npm ci installs them)')
    return
  }
  const startedAt = performance.now()
  const { build } = await import('vite')
  // Built aside and moved in whole: a gateway or a second build never sees half of it.
  const aside = join(root, 'node_modules', `.dist-${process.pid}`)
  for (const [mode, outDir] of [
    ['production', aside],
    ['operator', join(aside, 'operator')],
  ] as const) {
    await build({
      configFile: join(root, 'vite.config.ts'),
      mode,
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    })
    await packFiles(join(outDir, 'assets'))
  }
  writeFileSync(join(aside, '.stamp'), stamp)
  replace(dist, aside)
  console.log(`console: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function hasVite(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

function replace(target: string, source: string): void {
  const old = `${source}-old`
  mkdirSync(target, { recursive: true })
  renameSync(target, old)
  renameSync(source, target)
  rmSync(old, { recursive: true, force: true })
}

await main()
