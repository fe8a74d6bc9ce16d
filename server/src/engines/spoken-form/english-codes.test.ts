// The spoken form of telephone numbers, codes, addresses, signs and abbreviations.
import { describe, expect, it } from 'vitest'
import { englishWords } from './english.ts'

describe('telephone numbers and codes', () => {
  it.each([
    ['Call me at 415-555-0137.', 'Call me at four one five, five five five, zero one three seven.'],
    ['Call me on 07700 900123.', 'Call me on zero seven seven zero zero, nine zero zero, one two three.'],
    [
      'The number is +44 20 7946 0958.',
      'The number is plus four four, two zero, seven nine four six, zero nine five eight.',
    ],
    ['Dial 1-800-555-0199.', 'Dial one eight hundred, five five five, zero one nine nine.'],
    ['My cell is 4155550137.', 'My cell is four one five, five five five, zero one three seven.'],
    ['In an emergency, call 911.', 'In an emergency, call nine one one.'],
    ['Press 9-1-1.', 'Press nine one one.'],
    [
      'My card number is 4242 4242 4242 4242.',
      'My card number is four two four two, four two four two, four two four two, four two four two.',
    ],
    ['The card ending in 4242 was declined.', 'The card ending in four two four two was declined.'],
    ['The last four digits are 6789.', 'The last four digits are six seven eight nine.'],
    ['Your code is 482913.', 'Your code is four eight two, nine one three.'],
    ['Your PIN is 1234.', 'Your PIN is one two three four.'],
    ['Your verification code is 48-29-13.', 'Your verification code is four eight, two nine, one three.'],
    ['Order #7734 has shipped.', 'Order number seven seven three four has shipped.'],
    ['You are #3 in line.', 'You are number three in line.'],
    ['Your confirmation number is XK7P2M.', 'Your confirmation number is X K seven P two M.'],
    ['Your booking reference is ABC123.', 'Your booking reference is ay B C one twenty three.'],
    ['Your zip code is 94110.', 'Your zip code is nine four one one zero.'],
    ['My account number is 00123456.', 'My account number is zero zero one two, three four five six.'],
    [
      'Tracking number 1Z999AA10123456784.',
      'Tracking number one Z nine nine nine ay ay one zero one two three four five six seven eight four.',
    ],
    ['Extension 204, please.', 'Extension two zero four, please.'],
    ['Call ext. 204.', 'Call extension two zero four.'],
    ['Room 305 is on the third floor.', 'Room three oh five is on the third floor.'],
    ['Room 1204 is ready.', 'Room twelve oh four is ready.'],
    ['Suite 200.', 'Suite two hundred.'],
    ['Flight AA1234 leaves from gate 22.', 'Flight ay ay one two three four leaves from gate twenty two.'],
    ['Flight UA 89 is delayed.', 'Flight U ay eighty nine is delayed.'],
    ['Take Route 66 to Highway 101.', 'Take Route sixty six to Highway one oh one.'],
    ['He lives at 305 Main St.', 'He lives at three oh five Main Street.'],
    ['I live at 42 Wallaby Way.', 'I live at forty two Wallaby Way.'],
    ['Apartment 4B, please.', 'Apartment four B, please.'],
    ['We are at 1600 Pennsylvania Ave. NW.', 'We are at sixteen hundred Pennsylvania Avenue Northwest.'],
    ['It is the A4 size.', 'It is the ay four size.'],
    ['I need an MP3 player with 5G.', 'I need an M P three player with five G.'],
    ['Seat 12A is free.', 'Seat twelve ay is free.'],
    ['COVID-19 tests are free.', 'COVID nineteen tests are free.'],
    ['The F-16 flew by.', 'The F sixteen flew by.'],
    ['Use code SAVE20.', 'Use code SAVE twenty.'],
    ['It has H2O in it.', 'It has H two O in it.'],
    ['On 2026-03-05.', 'On March fifth, twenty twenty six.'],
    ['Between 2020-2024.', 'Between twenty twenty and twenty twenty four.'],
    [
      'The server is 192.168.1.1.',
      'The server is one hundred ninety two dot one hundred sixty eight dot one dot one.',
    ],
    ['Press # or *.', 'Press pound or star.'],
    ["It's #winning.", "It's hashtag winning."],
    ['Turn left on Main St. and stop.', 'Turn left on Main Street and stop.'],
    ['A1, B2', 'ay one, B two'],
    ['E5-2670', 'E five, two six seven zero'],
    ['Gate B12', 'Gate B twelve'],
    ['0800 123 4567', 'zero eight zero zero, one two three, four five six seven'],
    ['+1 (415) 555-0137', 'plus one, four one five, five five five, zero one three seven'],
    ['007', 'zero zero seven'],
    [
      'Please call us back at (415) 555-0137.',
      'Please call us back at four one five, five five five, zero one three seven.',
    ],
    ['My number is 020 7946 0958.', 'My number is zero two zero, seven nine four six, zero nine five eight.'],
    ['Your order number is A1-B2-7734.', 'Your order number is ay one, B two, seven seven three four.'],
    ['Your flight is BA 249 from Gate B12.', 'Your flight is B ay two forty nine from Gate B twelve.'],
    [
      'Press 1 for sales, 2 for support, or # to go back.',
      'Press one for sales, two for support, or pound to go back.',
    ],
    ['Use code SAVE20 & get 20% off!', 'Use code SAVE twenty and get twenty percent off!'],
    ['Is the house number 1204 or 1240?', 'Is the house number one two zero four or twelve forty?'],
  ])('%s', (written, said) => {
    expect(englishWords(written)).toBe(said)
  })
})

describe('addresses of the internet', () => {
  it.each([
    ['Visit example.com.', 'Visit example dot com.'],
    [
      'Visit https://www.example.com/a/b?c=1.',
      'Visit example dot com slash a slash b question mark c equals one.',
    ],
    ['Go to shop.co.uk/sale.', 'Go to shop dot co dot U K slash sale.'],
    ['Go to my-site.io.', 'Go to my dash site dot I O.'],
    ['john_doe99@mail.example.org', 'john underscore doe nine nine at mail dot example dot org'],
    ['Email me at J.Smith@Example.COM.', 'Email me at J dot Smith at Example dot COM.'],
    ['Send it to support@parley.ai, please.', 'Send it to support at parley dot ay I, please.'],
    [
      'You can write to anna.smith@parcel-office.com.',
      'You can write to anna dot smith at parcel dash office dot com.',
    ],
    ['Go to www.example.com/help for more.', 'Go to example dot com slash help for more.'],
  ])('%s', (written, said) => {
    expect(englishWords(written)).toBe(said)
  })
})

describe('abbreviations and signs', () => {
  it.each([
    ['AT&T and R&D.', 'ay T and T and R and D.'],
    ['Me & you.', 'Me and you.'],
    ['Press the * key.', 'Press the star key.'],
    ['Yes/no?', 'Yes or no?'],
    ['and/or', 'and or'],
    ['He/she will call.', 'He or she will call.'],
    ['Mr. and Mrs. Smith', 'Mister and Missus Smith'],
    ['Dr. Lee lives on Elm Dr.', 'Doctor Lee lives on Elm Drive.'],
    ["St. Patrick's Day", "Saint Patrick's Day"],
    ['Visit St. Louis.', 'Visit Saint Louis.'],
    ['Ft. Worth', 'Fort Worth'],
    ['Prof. Jones, Jr.', 'Professor Jones, Junior.'],
    ['Acme Inc. and Smith & Co.', 'Acme Incorporated and Smith and Company.'],
    ['Ask for the mgr.', 'Ask for the manager.'],
    ['E.g. this one, i.e. that one.', 'for example this one, that is that one.'],
    ['Cats vs. dogs', 'Cats versus dogs'],
    ['The U.S. and the U.K.', 'The U S and the U K.'],
    ['The U.S.A. is big.', 'The U S ay is big.'],
    ['Ask John F. Kennedy.', 'Ask John F Kennedy.'],
    ['J. Smith called.', 'J Smith called.'],
    ['c/o Mr. Brown', 'care of Mister Brown'],
    ['w/o sugar, w/ milk', 'without sugar, with milk'],
    ['I said no.', 'I said no.'],
    ['No. That is wrong.', 'No. That is wrong.'],
    ['World War II', 'World War two'],
    ['Chapter IV', 'Chapter four'],
    ['It (really) works.', 'It, really, works.'],
    ['Bring your document(s).', 'Bring your documents.'],
    ['Wait... what?', 'Wait, what?'],
    ['Let me see...', 'Let me see.'],
    ['What?!', 'What?'],
    ['Stop!!!', 'Stop!'],
    ['The café in Zürich.', 'The cafe in Zurich.'],
    ['naïve résumé', 'naive resume'],
    ['Dr Smith', 'Doctor Smith'],
    ['We live on Baker St. near the live music hall.', 'We live on Baker Street near the live music hall.'],
    ['Please have your ID ready, e.g. a passport.', 'Please have your ID ready, for example a passport.'],
  ])('%s', (written, said) => {
    expect(englishWords(written)).toBe(said)
  })
})
