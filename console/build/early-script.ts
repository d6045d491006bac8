import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Puts small classic scripts into the head as one file, so that they run before the first paint. */
export function earlyScript(paths: readonly string[]): Plugin {
  let fileName = ''
  let base = '/'
  return {
    name: 'early-script',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    buildStart() {
      const source = paths.map((path) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')).join('')
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      fileName = `assets/early-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: base + fileName }, injectTo: 'head-prepend' }],
  }
}
