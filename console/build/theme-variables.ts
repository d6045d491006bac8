import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core'
import type { Plugin } from 'vite'
import { theme } from '../src/design/theme.ts'

const name = 'virtual:theme-variables.css'

/** Writes the theme's variables into the stylesheet at build time; at run time the policy forbids a style element. */
export function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? variables() : undefined),
  }
}

function variables(): string {
  const kept = new Set(['dark', 'gray', ...Object.keys(theme.colors ?? {})])
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const colors = Object.fromEntries(Object.entries(merged.colors).filter(([color]) => kept.has(color)))
  // The other palettes are never used: leaving them out saves three quarters of the variables.
  const lean = { ...merged, colors: colors as Record<string, MantineColorsTuple> }
  return convertCssVariables(defaultCssVariablesResolver(lean as typeof merged), ':root')
}
