import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/** Puts a small classic script into the head as a file of its own, so that it runs before the first paint. */
export function earlyScript(path: string): Plugin {
  let fileName = ''
  let base = '/'
  return {
    name: 'early-script',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    buildStart() {
      const source = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      fileName = `assets/${basename(path, '.js')}-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: base + fileName }, injectTo: 'head-prepend' }],
  }
}
