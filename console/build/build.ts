import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readStamp, type Stamp, stampOf } from './inputs.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const inputs = [
  'index.html',
  'operator.html',
  'package.json',
  'vite.config.ts',
  'build/**/*.ts',
  'src/**/*.*',
  'site/**/*.*',
  '../sdk/{*.*,src/**/*.ts}',
  '../src/features/**/contract.ts',
  '../src/{base,contract,documents,operator-kit}/**/*.ts',
  '../package-lock.json',
]

/**
 * Builds both consoles and the public pages into `dist`, unless none of their inputs has changed since the last build. Of the
 * features, these are only the files that were bundled: most changes of the server reach no page.
 */
async function main(): Promise<void> {
  const last = readStamp(dist)
  if (last && last.hash === stampOf(root, [...inputs, ...last.bundled])) return
  if (!hasVite()) {
    console.warn('console: not built, because its build tools are not installed (npm ci installs them)')
    return
  }
  const startedAt = performance.now()
  const { build, createLogger } = await import('vite')
  const customLogger = createLogger('warn')
  const { warnOnce } = customLogger
  // Vite's own CSS pipeline causes it for every module; it cannot be fixed here.
  customLogger.warnOnce = (message, options) => {
    if (!message.includes('did not pass the `from` option')) warnOnce(message, options)
  }
  // Built elsewhere and moved in as a whole, so that a gateway or a second build never sees half of it.
  const aside = join(root, 'node_modules', `.dist-${process.pid}`)
  const bundled = new Set<string>()
  for (const [mode, outDir] of [
    ['production', aside],
    ['operator', join(aside, 'operator')],
  ] as const) {
    const built = await build({
      configFile: join(root, 'vite.config.ts'),
      mode,
      customLogger,
      build: { outDir, emptyOutDir: true },
    })
    for (const file of featureFilesOf(built)) bundled.add(file)
    await packFiles(join(outDir, 'assets'))
  }
  const { buildSite } = await import('./site.ts')
  await buildSite(join(aside, 'site'))
  await packFiles(join(aside, 'site/assets'))
  const stamp: Stamp = { hash: stampOf(root, [...inputs, ...bundled]), bundled: [...bundled] }
  writeFileSync(join(aside, '.stamp'), JSON.stringify(stamp))
  replace(dist, aside)
  console.log(`console: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function featureFilesOf(built: Awaited<ReturnType<typeof import('vite').build>>): string[] {
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : []
  return outputs
    .flatMap(({ output }) => output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : [])))
    .filter((id) => id.includes('/src/features/'))
    .map((id) => relative(root, id))
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

/** Precompressed at build time, at the highest level. */
async function packFiles(directory: string): Promise<void> {
  await Promise.all(
    readdirSync(directory)
      .filter((name) => /\.(js|css|svg)$/.test(name))
      .map(async (name) => {
        const bytes = readFileSync(join(directory, name))
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
          promisify(gzip)(bytes, { level: 9 }),
        ])
        writeFileSync(join(directory, `${name}.br`), br)
        writeFileSync(join(directory, `${name}.gz`), gz)
      }),
  )
}

await main()
