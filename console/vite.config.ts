import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { evaluated } from './build/evaluated.ts'

/**
 * What every page needs, and small files that several do: a phone waits longer for another request than for its bytes. Without the
 * long list of common passwords.
 */
const ownCode =
  /console\/src\/(api|design\/(?!charge-details|chart|chip-menu|new-password|totp-secret)|format|i18n\/[\w-]+\.ts|shell|pages\/\w+-?\w*\.tsx?|pages\/keys\/unsaved-key|pages\/proof\/(verify-button|statement-files)|[\w-]+\.tsx?)|src\/(base\/|contract\/(?!browser-names))/

/** What a few pages share, one file each. Without the modules of the pages themselves, each of which would be one more file. */
const shared = [
  { name: 'log', test: /console\/src\/(design\/chip-menu|pages\/(log\/|usage\/(?!usage\.tsx)))/ },
  {
    name: 'identity',
    test: /console\/src\/pages\/(second-factor\/(?!step-up)|auth\/(parts|second-step|use-challenge|use-fields))/,
  },
  { name: 'event-text', test: /console\/src\/pages\/events\/(event-text|rows|words)/ },
  {
    name: 'forms',
    test: /console\/src\/pages\/(playground\/(key-field|limit-actions|tab-memory|words)|pricing\/words)/,
  },
  { name: 'proof', test: /console\/src\/pages\/proof\/(check|proof\.module|words)/ },
]

/** All except the QR code library, which few pages need. */
const libraries = { name: 'libraries', test: /node_modules\/(?!uqr)|rolldown\/runtime/ }

/** What most pages of the operator console need, in one file. */
const operatorParts = {
  name: 'operator',
  test: /console\/src\/(api|design|format|i18n\/[\w-]+\.ts|operator\/(api|parts|pages\/pages|words|error-words))|src\/(base|contract|features|operator-kit)\//,
}

interface App {
  readonly html: string
  /** The path prefix of the files. */
  readonly base: string
  /** Small scripts that run before the first paint. */
  readonly early: readonly string[]
  readonly groups: { readonly name: string; readonly test: RegExp }[]
}

/** Two applications of one design system. They share no file, so that payers download nothing of the operator console. */
const apps: Record<'console' | 'operator', App> = {
  console: {
    html: 'index.html',
    // Pages below /gateway load the same files from here.
    base: '/console/',
    early: ['src/design/before-paint.js', 'src/api/send-early-reads.js'],
    groups: [libraries, { name: 'console', test: ownCode }, ...shared],
  },
  operator: {
    html: 'operator.html',
    base: '/',
    early: ['src/design/before-paint.js'],
    groups: [libraries, operatorParts],
  },
}

export default defineConfig(({ mode }) => configOf(apps[mode === 'operator' ? 'operator' : 'console']))

function configOf({ html, base, early, groups }: App): UserConfig {
  return {
    root: import.meta.dirname,
    base,
    plugins: [
      react(),
      earlyScript(early),
      evaluated(/i18n\/(en|zh)\/errors\.ts$|operator\/error-words\.ts$|pages\/events\/(words|rows)\.ts$/),
    ],
    build: {
      target: 'es2023',
      // The content security policy forbids `data:` and inline content.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The gateway reads from it which files a page needs (src/http/static/built-app.ts).
      manifest: 'manifest.json',
      // One stylesheet and a few scripts load faster than seventy small files.
      cssCodeSplit: false,
      rolldownOptions: {
        input: `${import.meta.dirname}/${html}`,
        // Slow builds on a busy machine are not worth a warning.
        checks: { bundlerTimings: false },
        output: { codeSplitting: { groups } },
      },
    },
  }
}

/** Puts small classic scripts into the head as one file, so that they run before the first paint. */
function earlyScript(paths: readonly string[]): Plugin {
  let fileName = ''
  let base = '/'
  return {
    name: 'early-script',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    buildStart() {
      const source = paths.map((path) => readFileSync(join(import.meta.dirname, path), 'utf8')).join('')
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      fileName = `assets/early-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: base + fileName }, injectTo: 'head-prepend' }],
  }
}
