import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { build } from 'vite'
import { packSdk } from '../../sdk/pack.ts'
import type { SiteFiles } from '../../src/documents/site.ts'
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

const sources: Readonly<Record<keyof SiteFiles, { name: string; type: string; from: readonly string[] }>> = {
  style: { name: 'page', type: 'css', from: [...frameStyles, ...pageStyles] },
  script: { name: 'frame', type: 'js', from: [frameScript] },
  homeScript: { name: 'home', type: 'js', from: ['site/home/home.js'] },
  referenceStyle: { name: 'reference', type: 'css', from: [...frameStyles, ...referenceStyles.map(styleOf)] },
  referenceScript: { name: 'reference', type: 'js', from: [frameScript, 'site/reference/reference.js'] },
  mark: { name: 'mark', type: 'svg', from: ['src/design/mark.svg'] },
}

/** The public pages: their files, the module that renders them, and the page that verifies receipts. */
export async function buildSite(outDir: string): Promise<void> {
  mkdirSync(join(outDir, 'assets'), { recursive: true })
  const files = Object.entries(sources).map(([use, { name, type, from }]) => {
    const body = from.map(read).join('\n')
    const file = `${name}-${contentHash(body)}.${type}`
    writeFileSync(join(outDir, 'assets', file), body)
    return [use, file]
  })
  writeFileSync(join(outDir, 'files.json'), JSON.stringify(Object.fromEntries(files)))
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
