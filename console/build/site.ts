import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, extname, join } from 'node:path'
import { build } from 'vite'
import { packSdk } from '../../sdk/pack.ts'
import type { InlinedFiles, SiteFiles } from '../../src/documents/site.ts'
import { contentHash } from '../../src/http/static/static-content.ts'
import { sample } from '../site/verify/sample.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

// One file to the browser, in this order: a later rule wins over an earlier one of the same weight.
const frameStyles = [
  'src/design/tokens.css',
  'src/design/page-notice.css',
  'site/frame/base.css',
  'site/frame/frame.css',
]
const referenceStyles = ['frame', 'contents', 'operation', 'fields', 'panel', 'table', 'text', 'screens']
const styleOf = (name: string) => `site/reference/style/${name}.css`
const pageStyles = [
  ...['panel', 'table'].map(styleOf),
  'site/frame/page.css',
  'site/home/home.css',
  'site/verify/verify.css',
  'site/status/status.css',
]
const frameScript = 'site/frame/frame.js'

const inlined: Readonly<Record<keyof InlinedFiles, readonly string[]>> = {
  style: [...frameStyles, ...pageStyles],
  script: [frameScript],
  referenceStyle: [...frameStyles, ...referenceStyles.map(styleOf)],
  referenceScript: [frameScript, 'site/reference/reference.js'],
}
const loaded = { homeScript: 'site/home/home.js', mark: 'src/design/mark.svg' }

/** The public pages: their files, the module that renders them, and the page that verifies receipts. */
export async function buildSite(outDir: string): Promise<void> {
  mkdirSync(join(outDir, 'assets'), { recursive: true })
  const files: SiteFiles = {
    inlined: mapValues(inlined, (paths) => inlinable(paths.map(read).join('\n'))),
    ...mapValues(loaded, (path) => {
      const body = read(path)
      const file = `${basename(path, extname(path))}-${contentHash(body)}${extname(path)}`
      writeFileSync(join(outDir, 'assets', file), body)
      return file
    }),
  }
  writeFileSync(join(outDir, 'files.json'), JSON.stringify(files))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: 'site/pages.ts',
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'pages.js' } },
    },
  })
  buildVerifier(join(outDir, 'verify'))
  await buildVerifyCommand(join(outDir, 'verify'))
  writeFileSync(join(outDir, 'sdk.tgz'), packSdk())
}

const mapValues = <K extends string, V>(record: Readonly<Record<K, V>>, map: (value: V) => string) =>
  Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, map(value)])) as Record<K, string>

/** A text that could end its own element would need escapes, which styles do not have. */
function inlinable(text: string): string {
  if (/<\/|<!--/.test(text)) throw new Error('a style or script of the public pages contains markup')
  return text
}

/** The code that verifies is the SDK's; browsers get it as it is, without its types. */
function buildVerifier(outDir: string): void {
  mkdirSync(outDir)
  writeFileSync(join(outDir, 'page.js'), read('site/verify/page.js'))
  writeFileSync(join(outDir, 'sample.json'), JSON.stringify(sample))
  const scripts = [
    ...['../sdk/src/merkle', '../sdk/src/signed', '../sdk/src/verify'],
    ...['site/verify/seen', 'site/verify/history'],
  ]
  for (const path of scripts) {
    const script = withoutTypes(read(`${path}.ts`)).replaceAll(/from '[./\w]*\/(\w+)\.ts'/g, "from './$1.js'")
    writeFileSync(join(outDir, `${path.split('/').at(-1)}.js`), script)
  }
}

/** One file without dependencies, not minified: payers who distrust the gateway can read it before they run it. */
async function buildVerifyCommand(outDir: string): Promise<void> {
  const banner =
    '// Verifies receipts and statements offline, with Node 20 or newer and nothing else:\n' +
    '//   node verify.mjs receipt.jws --keys jwks.json --since old.checkpoint\n'
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: '../sdk/verify-main.ts',
      target: 'node20',
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'verify.mjs', banner } },
    },
  })
}

/** Without Node's warning that the function is experimental: it is pinned with Node, and operators read what `npm start` prints. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
