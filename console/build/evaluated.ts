import type { Plugin } from 'vite'

/** Replaces modules that only compute data by that data, so that a bundle does not carry what it was computed from. */
export function evaluated(paths: RegExp): Plugin {
  return {
    name: 'evaluated',
    async load(id) {
      if (!paths.test(id)) return
      const constants = Object.entries(await import(id))
      return constants.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
    },
  }
}
