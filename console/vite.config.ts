import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { earlyScript } from './build/early-script.ts'
import { evaluated } from './build/evaluated.ts'
import { themeVariables } from './build/theme-variables.ts'

/**
 * What every page needs, and small files that several do: a phone waits longer for another request than for its bytes. Without
 * main.tsx, which awaits the words: a page that imports it would wait for itself; and without the long list of common passwords.
 */
const ownCode =
  /console\/src\/(api|design\/(?!action-menu|chart|password|tables)|format|shell|pages\/\w+-?\w*\.tsx?|pages\/keys\/(unsaved-key|shown-once)|(?!main)[\w-]+\.tsx?)|src\/(base|contract)\//

/** All but the one that draws QR codes, which few pages need. */
const libraries = { name: 'libraries', test: /node_modules\/(?!uqr)|rolldown\/runtime/ }

interface App {
  readonly html: string
  /** The path that the files are served below. */
  readonly base: string
  /** Small scripts that run before the first paint. */
  readonly early: readonly string[]
  readonly groups: { readonly name: string; readonly test: RegExp }[]
}

/** Two applications of one design system. They share no file, so that nobody who pays loads anything of the operator's. */
const apps: Record<'console' | 'operator', App> = {
  console: {
    html: 'index.html',
    // Pages below /gateway load the same files from here: both exist wherever the first does.
    base: '/console/',
    early: ['src/design/before-paint.js', 'src/api/send-early-reads.js'],
    groups: [libraries, { name: 'console', test: ownCode }],
  },
  operator: { html: 'operator.html', base: '/', early: ['src/design/before-paint.js'], groups: [libraries] },
}

export default defineConfig(({ mode }) => configOf(apps[mode === 'operator' ? 'operator' : 'console']))

function configOf({ html, base, early, groups }: App): UserConfig {
  return {
    root: import.meta.dirname,
    base,
    plugins: [react(), themeVariables(), earlyScript(early), evaluated(/i18n\/(operator\/)?(en|zh)\/errors\.ts$/)],
    build: {
      target: 'es2023',
      // The policy of the page allows no data: or inline content.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // Tells the gateway which files a page needs (src/http/static/console-preloads.ts).
      manifest: 'manifest.json',
      // One stylesheet and a few files of script load faster than seventy small ones.
      cssCodeSplit: false,
      rolldownOptions: {
        input: `${import.meta.dirname}/${html}`,
        // How long a busy machine takes is no warning.
        checks: { bundlerTimings: false },
        output: { codeSplitting: { groups } },
      },
    },
  }
}
