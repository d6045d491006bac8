import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './action-menu.module.css'
import { RowButton } from './button.tsx'
import { Icons } from './icons.tsx'

interface MenuAction {
  readonly name: string
  readonly onChoose: () => void
  /** Destructive. */
  readonly isDestructive?: boolean
}

interface ActionMenuProps {
  /** What the actions apply to. */
  readonly label: string
  readonly actions: readonly MenuAction[]
}

/** A button that opens a short list of actions. As a popover it closes on Escape and on a click outside. */
export function ActionMenu({ label, actions }: ActionMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  function choose(action: MenuAction) {
    menu.current?.hidePopover()
    // A dialog opened by the action returns the focus to the button, which still exists then.
    button.current?.focus()
    action.onChoose()
  }

  return (
    <>
      <RowButton ref={button} popoverTarget={id} aria-haspopup="menu" aria-expanded={isOpen} aria-label={label}>
        <Icons.more size={16} />
      </RowButton>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles.menu}
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open') return
          placeBelow(button.current!, menu.current!)
          // Synchronously: the browser focuses the first action when it shows the menu, and `toggle` may fire after further keys.
          flushSync(() => setOpen(true))
        }}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={moveFocus}
      >
        {isOpen &&
          actions.map((action, index) => (
            <button
              key={action.name}
              // React does not set this attribute, which applies each time the menu is shown.
              ref={index === 0 ? (item) => item?.setAttribute('autofocus', '') : undefined}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              data-destructive={action.isDestructive || undefined}
              onClick={() => choose(action)}
            >
              {action.name}
            </button>
          ))}
      </div>
    </>
  )
}

/** Places the menu below the button, on the side with more room, in page coordinates so that it scrolls along. */
export function placeBelow(button: HTMLElement, menu: HTMLElement): void {
  const { left, right, bottom } = button.getBoundingClientRect()
  const isLeft = left < innerWidth / 2
  menu.style.left = `${(isLeft ? left : right) + scrollX}px`
  menu.style.translate = isLeft ? 'none' : '-100%'
  menu.style.top = `${bottom + scrollY}px`
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (target === undefined) return
  event.preventDefault()
  items.at(target % items.length)?.focus()
}
