import { type ReactNode, useId, useRef, useState } from 'react'
import { placeBelow } from './action-menu.tsx'
import styles from './chip-menu.module.css'

interface ChipMenuProps {
  readonly label: string
  /** What is chosen; shown next to the label. */
  readonly value?: string | undefined
  readonly children: (close: () => void) => ReactNode
}

/** A chip that opens a panel of choices. As a popover it closes on Escape and on a click outside. */
export function ChipMenu({ label, value, children }: ChipMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  function close() {
    panel.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-expanded={isOpen}
        className={styles.chip}
        data-set={value !== undefined || undefined}
      >
        {label}
        {value !== undefined && <span className={styles.value}>{value}</span>}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.panel}
        onBeforeToggle={({ newState }) => newState === 'open' && place(button.current!, panel.current!)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children(close)}
      </div>
    </>
  )
}

/** On narrow screens over the whole width, because there is no room next to the chip. */
function place(button: HTMLElement, panel: HTMLElement): void {
  placeBelow(button, panel)
  if (!matchMedia('(max-width: 40rem)').matches) return
  panel.style.left = ''
  panel.style.translate = ''
}

interface ChipSelectProps {
  readonly label: string
  /** Empty for any. */
  readonly value: string
  readonly data: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
  /** Chooses how something looks, so that no value stands out. */
  readonly isLook?: boolean
}

/** One filter: its name and what it lets through. */
export function ChipSelect({ label, value, data, onChange, isLook = false }: ChipSelectProps) {
  const id = useId()
  return (
    <span className={styles.chip} data-set={(!isLook && value !== '') || undefined}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={styles.select} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {data.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </span>
  )
}

/** Chips, which wrap; on narrow screens a line that scrolls sideways. */
export const ChipLine = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a flex box.
  <div className={styles.line} role="group" aria-label={label}>
    {children}
  </div>
)
