// The button that adds what a keyboard adds with `@`, `/` and the clipboard.
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { Icon } from '../../shared/icon.js'
import { strings } from '../../strings.js'
import { PICTURE_TYPES } from './use-pictures.js'

const words = strings.session

type AddMenuProps = {
  readonly noPictures: string | undefined
  readonly onPictures: (files: Iterable<File>) => void
  readonly onSign: ((sign: '@' | '/') => void) | undefined
}

export function AddMenu({ noPictures, onPictures, onSign }: AddMenuProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={PICTURE_TYPES.join(',')}
        onChange={({ target }) => {
          onPictures([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="pick icon-only" aria-label={words.add} title={words.add}>
          <Icon name="plus" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6}>
            <DropdownMenu.Item
              className="menu-item"
              disabled={noPictures !== undefined}
              onSelect={() => picker.current?.click()}
            >
              <Icon name="image" />
              {noPictures ?? words.addPicture}
            </DropdownMenu.Item>
            {onSign && (
              <>
                <DropdownMenu.Item className="menu-item" onSelect={() => onSign('@')}>
                  <Icon name="file" />
                  {words.addFile}
                  <kbd className="menu-key">@</kbd>
                </DropdownMenu.Item>
                <DropdownMenu.Item className="menu-item" onSelect={() => onSign('/')}>
                  <Icon name="slash" />
                  {words.addCommand}
                  <kbd className="menu-key">/</kbd>
                </DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  )
}
