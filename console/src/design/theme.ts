import { Checkbox, createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core'

/** Ledger green: the one accent. */
const ledger: MantineColorsTuple = [
  '#eaf4f0',
  '#d3e7df',
  '#a8d0c2',
  '#79b8a4',
  '#63c7ad',
  '#2f8c77',
  '#147463',
  '#0e6a5a',
  '#0a5548',
  '#063f35',
]
/** For what failed or destroys something. */
const brick: MantineColorsTuple = [
  '#fbeeea',
  '#f5dbd3',
  '#ebb5a6',
  '#e58f79',
  '#f08a74',
  '#c8503a',
  '#b23f2a',
  '#a33422',
  '#862818',
  '#651c10',
]
/** For what waits. */
const amber: MantineColorsTuple = [
  '#faf3e0',
  '#f3e6c2',
  '#e8d091',
  '#e0b95f',
  '#e0b057',
  '#b57d15',
  '#946408',
  '#835703',
  '#6b4602',
  '#503400',
]

export const theme = createTheme({
  colors: { ledger, brick, amber },
  primaryColor: 'ledger',
  primaryShade: { light: 7, dark: 4 },
  // What stands on a filled ground changes with the scheme, which the library's own contrast does not see.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: 'var(--on-accent)' } : colors
  },
  components: { Checkbox: Checkbox.extend({ defaultProps: { iconColor: 'var(--on-accent)' } }) },
  white: '#fffefb',
  black: '#1c2321',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
})
