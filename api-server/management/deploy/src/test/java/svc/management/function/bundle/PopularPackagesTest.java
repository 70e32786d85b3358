package svc.management.function.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packages that templates of edge functions import most are bundled and start: from npm itself, where it can be reached. */
class PopularPackagesTest {
    private static TestingRegistry registry;
    private static TestingBundler bundler;

    @BeforeAll
    static void start() {
        assumeThat(isReachable("registry.npmjs.org"))
                .as("registry.npmjs.org cannot be reached from here")
                .isTrue();
        registry = new TestingRegistry();
        bundler = new TestingBundler(TestingBundler.Settings.of(registry)
                .withNpm("https://registry.npmjs.org")
                .withTime(Duration.ofMinutes(2)));
    }

    @AfterAll
    static void stop() {
        if (bundler != null) {
            bundler.close();
            registry.close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import { createClient } from 'npm:@supabase/supabase-js@2.45.0' | createClient('http://x', 'y').from",
                "import { createClient } from 'npm:@supabase/supabase-js@2' | createClient('http://x', 'y').from",
                "import fetch from 'npm:node-fetch@2' | fetch",
                "import fetch from 'npm:node-fetch@3' | fetch",
                "import Stripe from 'npm:stripe@14' | new Stripe('sk_test_x').checkout.sessions.create",
                "import OpenAI from 'npm:openai@4' | new OpenAI({ apiKey: 'x' }).chat.completions.create",
                "import Anthropic from 'npm:@anthropic-ai/sdk' | new Anthropic({ apiKey: 'x' }).messages.create",
                "import { GoogleGenerativeAI } from 'npm:@google/generative-ai' | new GoogleGenerativeAI('x').getGenerativeModel",
                "import { Resend } from 'npm:resend@4' | new Resend('re_x').emails.send",
                "import nodemailer from 'npm:nodemailer@6' | nodemailer.createTransport({ host: 'x' }).sendMail",
                "import { z } from 'npm:zod@3' | z.object({ a: z.string() }).parse",
                "import { Hono } from 'npm:hono@4' | new Hono().get('/', (c) => c.text('x')).fetch",
                "import { format } from 'npm:date-fns@3' | format",
                "import dayjs from 'npm:dayjs@1' | dayjs().format",
                "import * as jose from 'npm:jose@5' | jose.jwtVerify",
                "import jwt from 'npm:jsonwebtoken@9' | jwt.sign",
                "import bcrypt from 'npm:bcryptjs@2' | bcrypt.hash",
                "import _ from 'npm:lodash@4' | _.groupBy",
                "import { v4 } from 'npm:uuid@9' | v4",
                "import { nanoid } from 'npm:nanoid@5' | nanoid",
                "import axios from 'npm:axios@1' | axios.get",
                "import { drizzle } from 'npm:drizzle-orm@0.33/postgres-js'; import postgres from 'npm:postgres@3'"
                        + " | drizzle(postgres('postgres://x/y')).select",
                "import { Kysely, PostgresDialect } from 'npm:kysely@0.27' | new Kysely({ dialect: new PostgresDialect({}) }).selectFrom",
                "import * as cheerio from 'npm:cheerio@1' | cheerio.load('<p>x</p>')('p').text",
                "import { Redis } from 'npm:@upstash/redis' | new Redis({ url: 'https://x.upstash.io', token: 'y' }).get",
                "import { ChatOpenAI } from 'npm:@langchain/openai@0.3' | ChatOpenAI",
                "import { marked } from 'npm:marked@12' | marked.parse",
                "import { PDFDocument } from 'npm:pdf-lib@1' | PDFDocument.create",
                "import Papa from 'npm:papaparse@5' | Papa.parse",
                "import twilio from 'npm:twilio@5' | twilio('ACx', 'y').messages.create",
                "import webpush from 'npm:web-push@3' | webpush.sendNotification",
                "import { S3Client } from 'npm:@aws-sdk/client-s3@3' | new S3Client({ region: 'x' }).send",
                "import { withSupabase } from 'npm:@supabase/server@^1' | withSupabase({ auth: 'user' }, () => 0)"
            })
    void isBundledAndStarts(String imports, String function) {
        String code = bundler.code(
                imports + "; if (typeof (" + function + ") !== 'function') throw new Error('not the function');"
                        + " export default () => new Response('x');",
                Map.of());

        assertThat(DryBootTest.boot(code)).isEmpty();
    }

    static boolean isReachable(String host) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, 443), 2_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
