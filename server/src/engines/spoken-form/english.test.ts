// Text normalisation for speech: written form, spoken form.
import { expect, it } from 'vitest'
import { englishWords } from './english.ts'

it.each([
  ['Room 12 is free.', 'Room twelve is free.'],
  ['We have 1,250 seats.', 'We have one thousand two hundred fifty seats.'],
  ['It is -3.5 degrees.', 'It is minus three point five degrees.'],
  ['Between 3-5 days.', 'Between three and five days.'],
  ['That is 20% off.', 'That is twenty percent off.'],
  ['It is 21° today.', 'It is twenty one degrees today.'],
  ['On the 22nd floor.', 'On the twenty second floor.'],
  ['The 12th, the 30th and the 101st.', 'The twelfth, the thirtieth and the one hundred first.'],
  ['It costs $3.50.', 'It costs three dollars and fifty cents.'],
  ['It costs $1.', 'It costs one dollar.'],
  ['Just £1,200.01!', 'Just one thousand two hundred pounds and one penny!'],
  ['About $5 million.', 'About five million dollars.'],
  ['Come at 10:45.', 'Come at ten forty five.'],
  ['At 9:05 am or 9:00.', "At nine oh five ay M or nine o'clock."],
  ['From 5 p.m. today.', 'From five P M today.'],
  ['Until 6 p.m.', 'Until six P M.'],
  ['At 10:30pm.', 'At ten thirty P M.'],
  ['On 12/31/2026.', 'On December thirty first, twenty twenty six.'],
  ['On 2025-03-02.', 'On March second, twenty twenty five.'],
  ['See you Mar 3rd, 2005.', 'See you March third, two thousand five.'],
  ['On June 21 at noon.', 'On June twenty first at noon.'],
  ['Since 1984 and 1900.', 'Since nineteen eighty four and nineteen hundred.'],
  ['In 1905.', 'In nineteen oh five.'],
  ['Call 555-0123.', 'Call five five five, zero one two three.'],
  ['Call (555) 010-0123.', 'Call five five five, zero one zero, zero one two three.'],
  ['Call +1 555 010 0123.', 'Call plus one, five five five, zero one zero, zero one two three.'],
  ['Your code is 40172.', 'Your code is four zero one seven two.'],
  ['Write to jo.doe@shop1.example.', 'Write to jo dot doe at shop one dot example.'],
  ['See https://www.shop.example/menu.', 'See shop dot example slash menu.'],
  ['Mr. Smith and Dr. Jones', 'Mister Smith and Doctor Jones'],
  ['12 Elm St. in St. Louis', 'twelve Elm Street in Saint Louis'],
  ['Tea, coffee, etc.', 'Tea, coffee, et cetera.'],
  ['The U.S. office', 'The U S office'],
  ['Salt & pepper', 'Salt and pepper'],
  ['Flight BA249', 'Flight B ay two forty nine'],
  ['Room no. 5', 'Room number five'],
  ['No. 5', 'number five'],
  ['Nothing to change here.', 'Nothing to change here.'],
  ['', ''],
])('%s', (written, said) => {
  expect(englishWords(written)).toBe(said)
})

it('leaves no digit in any text', () => {
  for (const text of [
    '1234567890123456789012345678901234567890',
    '3.14.15',
    '1/2',
    '12:99:01',
    'a1b2c3',
    '9,9,9',
  ]) {
    expect(englishWords(text)).not.toMatch(/\d/)
  }
})
