import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { earlyScript } from './build/early-script.ts'
import { themeVariables } from './build/theme-variables.ts'

/**
 * What every page needs, and small files that several do: a phone waits longer for another request than for its bytes. Without
 * main.tsx, which awaits the words: a page that imports it would wait for itself; and without the long list of common passwords.
 */
const ownCode =
  /console\/src\/(api|design|format|shell|pages\/\w+-?\w*\.ts|pages\/keys\/(unsaved-key|shown-once)|(?!main)[\w-]+\.tsx?)|src\/contract\/(?!common-password)/

export default defineConfig({
  root: import.meta.dirname,
  // Pages below /gateway load the same files from here: both exist wherever the first does.
  base: '/console/',
  plugins: [react(), themeVariables(), earlyScript(['src/design/before-paint.js', 'src/api/send-early-reads.js'])],
  build: {
    target: 'es2023',
    // The policy of the page allows no data: or inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Tells the gateway which files a page needs (src/http/console-preloads.ts).
    manifest: 'manifest.json',
    // One stylesheet and a few files of script load faster than seventy small ones.
    cssCodeSplit: false,
    rolldownOptions: {
      // How long a busy machine takes is no warning.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules|rolldown\/runtime/ },
            { name: 'console', test: ownCode },
          ],
        },
      },
    },
  },
})
